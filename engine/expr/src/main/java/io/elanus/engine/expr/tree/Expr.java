package io.elanus.engine.expr.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A filter after parsing: names are resolved, constants folded and cast, templates filled in.
/// Every node is true, false or unknown for a row; only rows where the root is true pass.
///
/// The kinds below [ArrayTest] are understood by the parser but not evaluated yet, see
/// [Analysis#unsupported].
///
/// Immutable.
public sealed interface Expr {
  Expr TRUE = new Constant(true);
  Expr FALSE = new Constant(false);

  /// True or false for every row.
  record Constant(boolean value) implements Expr {}

  /// All of at least two operands.
  record And(List<Expr> operands) implements Expr {
    public And {
      operands = List.copyOf(operands);
    }
  }

  /// Any of at least two operands.
  record Or(List<Expr> operands) implements Expr {
    public Or {
      operands = List.copyOf(operands);
    }
  }

  record Not(Expr operand) implements Expr {}

  /// `field op value`; a bool field alone is `field == true`.
  record Compare(FieldRef field, CompareOp op, Value value) implements Expr {}

  /// `left op right`, two columns without paths.
  record CompareFields(FieldRef left, CompareOp op, FieldRef right) implements Expr {}

  /// `(field arith operand) op value`.
  record Arithmetic(FieldRef field, ArithOp arith, Value operand, CompareOp op, Value value)
      implements Expr {}

  /// `array_length(field) op value`.
  record ArrayLength(FieldRef field, CompareOp op, Value value) implements Expr {}

  /// `lower < field < upper` with each bound in or out.
  record Range(
      FieldRef field, Value lower, boolean lowerIncluded, Value upper, boolean upperIncluded)
      implements Expr {}

  /// `field in [values]`; `not in` is a [Not] around it.
  record In(FieldRef field, List<Value> values) implements Expr {
    public In {
      values = List.copyOf(values);
    }
  }

  record Like(FieldRef field, LikePattern pattern) implements Expr {}

  /// `field is null`, or `is not null` when `negated`; never unknown.
  record IsNull(FieldRef field, boolean negated) implements Expr {}

  /// `exists json["key"]`; never unknown.
  record Exists(FieldRef field) implements Expr {}

  /// `json_contains(field, value)` and its `_all`, `_any` forms.
  record Contains(FieldRef field, ContainsMode mode, List<Value> values) implements Expr {
    public Contains {
      values = List.copyOf(values);
    }
  }

  /// Any test of an ARRAY column: `what` is the test as it would be on JSON.
  record ArrayTest(Expr what) implements Expr {}

  /// `text_match(field, query, minimum_should_match=N)`.
  record TextMatch(FieldRef field, String query, int minimumShouldMatch) implements Expr {}

  /// `phrase_match(field, query, slop)`.
  record PhraseMatch(FieldRef field, String query, long slop) implements Expr {}

  /// `predicate and random_sample(factor)`, only ever the root; no predicate samples all rows.
  record RandomSample(@Nullable Expr predicate, double factor) implements Expr {}

  /// A spatial test, e.g. `st_within(field, wkt)`; `distance` counts for `st_dwithin` only.
  record Spatial(FieldRef field, String function, String wkt, double distance) implements Expr {}

  /// `field + shift op instant` on a TIMESTAMPTZ field. Without a shift it is a [Compare] with the
  /// microseconds since 1970.
  record TimestampCompare(FieldRef field, TimeShift shift, CompareOp op, long instantMicros)
      implements Expr {}
}
