package io.elanus.engine.expr.tree;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.DataType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What can be told about a filter without data.
///
/// Thread-safe: stateless.
public final class Analysis {
  private Analysis() {}

  /// Whether every row passes, whatever it holds.
  public static boolean isAlwaysTrue(Expr expr) {
    return expr instanceof Expr.Constant(boolean value) && value;
  }

  /// The fields whose columns the filter reads, ascending.
  public static SortedSet<FieldId> referencedFields(Expr expr) {
    SortedSet<FieldId> ids = new TreeSet<>();
    collectFields(expr, ids);
    return ids;
  }

  private static void collectFields(Expr expr, Set<FieldId> ids) {
    switch (expr) {
      case Expr.Constant _ -> {}
      case Expr.And(List<Expr> operands) -> operands.forEach(e -> collectFields(e, ids));
      case Expr.Or(List<Expr> operands) -> operands.forEach(e -> collectFields(e, ids));
      case Expr.Not(Expr operand) -> collectFields(operand, ids);
      case Expr.CompareFields e -> {
        ids.add(e.left().id());
        ids.add(e.right().id());
      }
      case Expr.Compare e -> ids.add(e.field().id());
      case Expr.Arithmetic e -> ids.add(e.field().id());
      case Expr.ArrayLength e -> ids.add(e.field().id());
      case Expr.Range e -> ids.add(e.field().id());
      case Expr.In e -> ids.add(e.field().id());
      case Expr.Like e -> ids.add(e.field().id());
      case Expr.IsNull e -> ids.add(e.field().id());
      case Expr.Exists e -> ids.add(e.field().id());
      case Expr.Contains e -> ids.add(e.field().id());
      case Expr.ArrayTest(Expr what) -> collectFields(what, ids);
      case Expr.TextMatch e -> ids.add(e.field().id());
      case Expr.PhraseMatch e -> ids.add(e.field().id());
      case Expr.RandomSample(Expr predicate, double _) -> {
        if (predicate != null) {
          collectFields(predicate, ids);
        }
      }
      case Expr.Spatial e -> ids.add(e.field().id());
      case Expr.TimestampCompare e -> ids.add(e.field().id());
    }
  }

  /// What of the filter can't be evaluated yet, in words; null when all of it can.
  public static @Nullable String unsupported(Expr expr) {
    return switch (expr) {
      case Expr.And(List<Expr> operands) -> firstUnsupported(operands);
      case Expr.Or(List<Expr> operands) -> firstUnsupported(operands);
      case Expr.Not(Expr operand) -> unsupported(operand);
      case Expr.ArrayTest(Expr what) -> unsupportedOfArray(what);
      case Expr.TextMatch _ -> "text_match";
      case Expr.PhraseMatch _ -> "phrase_match";
      case Expr.RandomSample(Expr predicate, double _) ->
          predicate == null ? null : unsupported(predicate);
      case Expr.Spatial e -> e.function();
      case Expr.Constant _,
          Expr.Compare _,
          Expr.CompareFields _,
          Expr.Arithmetic _,
          Expr.ArrayLength _,
          Expr.Range _,
          Expr.In _,
          Expr.Like _,
          Expr.IsNull _,
          Expr.Exists _,
          Expr.Contains _,
          Expr.TimestampCompare _ ->
          null;
    };
  }

  private static @Nullable String unsupportedOfArray(Expr what) {
    return switch (what) {
      case Expr.CompareFields _ -> "comparison of an array element with another field";
      case Expr.In e when e.field().path().isEmpty() -> "in list on a whole array field";
      default -> null;
    };
  }

  private static @Nullable String firstUnsupported(List<Expr> operands) {
    for (Expr operand : operands) {
      String what = unsupported(operand);
      if (what != null) {
        return what;
      }
    }
    return null;
  }

  /// The primary keys the filter pins down: `pk == v`, `pk in [..]`, an `or` of these, or such a
  /// form as one operand of an `and` (the shortest list when there are several). Null when it pins
  /// none. Keys come in the filter's order, each once.
  public static @Nullable PrimaryKeyLookup primaryKeyLookup(Expr expr) {
    PrimaryKeys whole = keysOf(expr);
    if (whole != null) {
      return new PrimaryKeyLookup(whole, null);
    }
    if (!(expr instanceof Expr.And(List<Expr> operands))) {
      return null;
    }
    PrimaryKeys best = null;
    int bestAt = -1;
    for (int i = 0; i < operands.size(); i++) {
      PrimaryKeys keys = keysOf(operands.get(i));
      if (keys != null && (best == null || keys.size() < best.size())) {
        best = keys;
        bestAt = i;
      }
    }
    if (best == null) {
      return null;
    }
    List<Expr> rest = new ArrayList<>(operands);
    rest.remove(bestAt);
    return new PrimaryKeyLookup(best, rest.size() == 1 ? rest.get(0) : new Expr.And(rest));
  }

  private static @Nullable PrimaryKeys keysOf(Expr expr) {
    LinkedHashSet<Value> values = new LinkedHashSet<>();
    FieldRef key = collectKeys(expr, values);
    if (key == null) {
      return null;
    }
    if (key.type() == DataType.INT64) {
      long[] keys = new long[values.size()];
      int n = 0;
      for (Value value : values) {
        keys[n++] = ((Value.Int) value).value();
      }
      return PrimaryKeys.of(keys);
    }
    String[] keys = new String[values.size()];
    int n = 0;
    for (Value value : values) {
      keys[n++] = ((Value.Text) value).value();
    }
    return PrimaryKeys.of(keys);
  }

  /// Adds the keys of a pure key form and answers its field; null when `expr` is anything else.
  private static @Nullable FieldRef collectKeys(Expr expr, Set<Value> values) {
    return switch (expr) {
      case Expr.Compare(FieldRef field, CompareOp op, Value value)
          when field.field().isPrimaryKey() && op == CompareOp.EQ -> {
        values.add(value);
        yield field;
      }
      case Expr.In(FieldRef field, List<Value> wanted) when field.field().isPrimaryKey() -> {
        values.addAll(wanted);
        yield field;
      }
      case Expr.Or(List<Expr> operands) -> {
        FieldRef key = null;
        for (Expr operand : operands) {
          key = collectKeys(operand, values);
          if (key == null) {
            break;
          }
        }
        yield key;
      }
      case Expr.Constant _,
          Expr.And _,
          Expr.Not _,
          Expr.Compare _,
          Expr.CompareFields _,
          Expr.Arithmetic _,
          Expr.ArrayLength _,
          Expr.Range _,
          Expr.In _,
          Expr.Like _,
          Expr.IsNull _,
          Expr.Exists _,
          Expr.Contains _,
          Expr.ArrayTest _,
          Expr.TextMatch _,
          Expr.PhraseMatch _,
          Expr.RandomSample _,
          Expr.Spatial _,
          Expr.TimestampCompare _ ->
          null;
    };
  }

  /// Values that the field `id` has in every row that passes, each once; null when the filter
  /// doesn't restrict it to a list. With a partition key's id this tells the partitions worth
  /// asking.
  public static @Nullable List<Value> restriction(Expr expr, FieldId id) {
    return switch (expr) {
      case Expr.Compare(FieldRef field, CompareOp op, Value value)
          when isPlain(field, id) && op == CompareOp.EQ ->
          List.of(value);
      case Expr.In(FieldRef field, List<Value> values) when isPlain(field, id) ->
          List.copyOf(new LinkedHashSet<>(values));
      case Expr.And(List<Expr> operands) -> {
        List<Value> shortest = null;
        for (Expr operand : operands) {
          List<Value> values = restriction(operand, id);
          if (values != null && (shortest == null || values.size() < shortest.size())) {
            shortest = values;
          }
        }
        yield shortest;
      }
      case Expr.Or(List<Expr> operands) -> {
        LinkedHashSet<Value> union = new LinkedHashSet<>();
        boolean restricted = true;
        for (Expr operand : operands) {
          List<Value> values = restricted ? restriction(operand, id) : null;
          restricted = values != null;
          if (values != null) {
            union.addAll(values);
          }
        }
        yield restricted ? List.copyOf(union) : null;
      }
      case Expr.RandomSample(Expr predicate, double _) ->
          predicate == null ? null : restriction(predicate, id);
      case Expr.Constant _,
          Expr.Not _,
          Expr.Compare _,
          Expr.CompareFields _,
          Expr.Arithmetic _,
          Expr.ArrayLength _,
          Expr.Range _,
          Expr.In _,
          Expr.Like _,
          Expr.IsNull _,
          Expr.Exists _,
          Expr.Contains _,
          Expr.ArrayTest _,
          Expr.TextMatch _,
          Expr.PhraseMatch _,
          Expr.Spatial _,
          Expr.TimestampCompare _ ->
          null;
    };
  }

  private static boolean isPlain(FieldRef field, FieldId id) {
    return field.id().equals(id) && field.path().isEmpty();
  }

  /// A text that is equal for equal filters and stable between releases of this module: a cache
  /// key.
  public static String canonicalText(Expr expr) {
    StringBuilder out = new StringBuilder();
    new CanonicalText(out).write(expr);
    return out.toString();
  }

  /// 64-bit FNV-1a hash of [#canonicalText], the same in every process.
  public static long canonicalHash(Expr expr) {
    String text = canonicalText(expr);
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
