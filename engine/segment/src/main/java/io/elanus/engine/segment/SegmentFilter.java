package io.elanus.engine.segment;

import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.eval.Compiler;
import io.elanus.engine.expr.eval.Predicate;
import io.elanus.engine.expr.parse.Filters;
import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.PrimaryKeyLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A filter made ready for segments: a predicate, the primary keys that it pins down if it does,
/// and tests by which zones of a sealed segment are left out unread.
///
/// Immutable.
public final class SegmentFilter {
  private final Predicate predicate;
  private final @Nullable PrimaryKeyLookup lookup;
  private final @Nullable Predicate remainder;
  private final List<FieldSchema> remainderFields;
  private final List<ZoneTest> zoneTests;

  private SegmentFilter(Expr expr, CollectionSchema schema) {
    this.predicate = Compiler.compile(expr);
    this.lookup = Analysis.primaryKeyLookup(expr);
    Expr rest = lookup == null ? null : lookup.remainder();
    this.remainder = rest == null ? null : Compiler.compile(rest);
    this.remainderFields = rest == null ? List.of() : fieldsOf(rest, schema);
    this.zoneTests = ZoneTest.of(expr);
  }

  private static List<FieldSchema> fieldsOf(Expr expr, CollectionSchema schema) {
    List<FieldSchema> fields = new ArrayList<>();
    for (FieldId id : Analysis.referencedFields(expr)) {
      FieldSchema field = schema.field(id);
      if (field != null) {
        fields.add(field);
      }
    }
    return List.copyOf(fields);
  }

  /// Parses and compiles; null when every row passes. Errors as in [Filters].
  public static @Nullable SegmentFilter compile(String text, CollectionSchema schema) {
    return of(Filters.parseForQuery(text, schema, Map.of()), schema);
  }

  /// Compiles a checked filter; null when every row passes.
  public static @Nullable SegmentFilter of(Expr expr, CollectionSchema schema) {
    return Analysis.isAlwaysTrue(expr) ? null : new SegmentFilter(expr, schema);
  }

  Predicate predicate() {
    return predicate;
  }

  @Nullable PrimaryKeyLookup lookup() {
    return lookup;
  }

  /// What is asked besides the keys of the lookup; null when nothing.
  @Nullable Predicate remainder() {
    return remainder;
  }

  List<FieldSchema> remainderFields() {
    return remainderFields;
  }

  List<ZoneTest> zoneTests() {
    return zoneTests;
  }
}
