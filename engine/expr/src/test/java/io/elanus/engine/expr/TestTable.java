package io.elanus.engine.expr;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.eval.ColumnSource;
import io.elanus.engine.expr.eval.Compiler;
import io.elanus.engine.expr.parse.Filters;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A schema with rows, for tests: values as Java objects, null for null, JSON as text.
public final class TestTable {
  private final List<FieldSchema> fields = new ArrayList<>();
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  public TestTable key(String name, DataType type) {
    return add(name, type, new FieldSchema.Flags(true, false, false, false, false, false, false));
  }

  public TestTable field(String name, DataType type) {
    return add(name, type, FieldSchema.Flags.NONE);
  }

  public TestTable nullable(String name, DataType type) {
    return add(name, type, new FieldSchema.Flags(false, false, false, false, false, true, false));
  }

  public TestTable dynamic() {
    return add(
        CollectionSchema.DYNAMIC_FIELD,
        DataType.JSON,
        new FieldSchema.Flags(false, false, false, false, true, false, false));
  }

  public TestTable array(String name, DataType element) {
    fields.add(
        new FieldSchema(
            nextId(), name, "", DataType.ARRAY, element, FieldSchema.Flags.NONE, Map.of(), null));
    return this;
  }

  public TestTable matched(String name) {
    fields.add(
        FieldSchema.of(nextId().value(), name, DataType.VARCHAR)
            .withTypeParams(Map.of("enable_match", "true", "max_length", "100")));
    return this;
  }

  private FieldId nextId() {
    return new FieldId(CollectionSchema.FIRST_USER_FIELD_ID + fields.size());
  }

  private TestTable add(String name, DataType type, FieldSchema.Flags flags) {
    fields.add(FieldSchema.of(nextId().value(), name, type).withFlags(flags));
    return this;
  }

  /// Adds a field that the rows don't have.
  public TestTable later(String name, DataType type, FieldSchema.@Nullable DefaultValue value) {
    fields.add(
        new FieldSchema(
            nextId(),
            name,
            "",
            type,
            null,
            new FieldSchema.Flags(false, false, false, false, false, true, false),
            Map.of(),
            value));
    return this;
  }

  public TestTable row(@Nullable Object... values) {
    rows.add(values);
    return this;
  }

  public CollectionSchema schema() {
    boolean dynamic = fields.stream().anyMatch(FieldSchema::isDynamic);
    return new CollectionSchema("t", "", dynamic, 0, fields);
  }

  public List<@Nullable Object[]> rows() {
    return rows;
  }

  public ColumnBatch batch() {
    Map<FieldId, Column> columns = new TreeMap<>();
    int width = rows.isEmpty() ? 0 : rows.get(0).length;
    for (int f = 0; f < width; f++) {
      FieldSchema field = fields.get(f);
      ColumnBuilder builder = new ColumnBuilder(field.type(), 0, rows.size());
      for (@Nullable Object[] row : rows) {
        put(builder, field.type(), row[f]);
      }
      columns.put(field.id(), builder.build());
    }
    return new ColumnBatch(rows.size(), columns);
  }

  private static void put(ColumnBuilder builder, DataType type, @Nullable Object value) {
    if (value == null) {
      builder.addNull();
      return;
    }
    switch (type) {
      case BOOL -> builder.addBool((Boolean) value);
      case INT8, INT16, INT32, INT64, TIMESTAMPTZ ->
          builder.addInteger(((Number) value).longValue());
      case FLOAT -> builder.addFloat(((Number) value).floatValue());
      case DOUBLE -> builder.addDouble(((Number) value).doubleValue());
      case ARRAY -> builder.addBytes((byte[]) value);
      default -> builder.addText((String) value);
    }
  }

  public Expr parse(String filter) {
    return Filters.parseForQuery(filter, schema(), Map.of());
  }

  public Expr parse(String filter, Map<String, Value> templates) {
    return Filters.parseForQuery(filter, schema(), templates);
  }

  /// The rows that pass, by their first value.
  public List<Object> select(String filter) {
    return select(parse(filter));
  }

  public List<Object> select(String filter, Map<String, Value> templates) {
    return select(parse(filter, templates));
  }

  public List<Object> select(Expr expr) {
    long[] bits = Compiler.compile(expr).evaluate(ColumnSource.of(batch()));
    List<Object> found = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if ((bits[i >> 6] >>> (i & 63) & 1) != 0) {
        found.add(rows.get(i)[0]);
      }
    }
    return found;
  }
}
