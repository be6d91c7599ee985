package io.elanus.engine.expr.parse;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects the operands of one chain of `and` or of `or`. Constants fold away; nested chains of
/// the same kind are taken in, so a chain of any length is one node.
///
/// Confined to the caller.
final class Junctions {
  private final boolean and;
  private final List<Expr> tests = new ArrayList<>();
  private Expr.@Nullable RandomSample sample;
  private boolean decided;

  Junctions(boolean and) {
    this.and = and;
  }

  /// The operand as a predicate: a test, a bool field or a bool constant; null for anything else.
  static @Nullable Expr asTest(Operand operand) {
    return switch (operand) {
      case Operand.Test(Expr expr) -> expr;
      case Operand.Column(FieldRef field) when field.type() == DataType.BOOL ->
          new Expr.Compare(field, CompareOp.EQ, Value.of(true));
      case Operand.Constant(Value.Bool(boolean truth), boolean template) when !template ->
          truth ? Expr.TRUE : Expr.FALSE;
      case Operand.Constant _, Operand.Column _, Operand.Arithmetic _, Operand.Length _ -> null;
    };
  }

  void first(Operand operand) {
    add(operand);
  }

  void add(Operand operand) {
    Expr test = asTest(operand);
    if (test == null) {
      throw ParseFailure.plan(
          "'" + (and ? "and" : "or") + "' can only be used between boolean expressions");
    }
    if (sample != null) {
      throw ParseFailure.plan(
          "random sample expression can only be the last expression in the logical and expression");
    }
    if (test instanceof Expr.RandomSample random) {
      if (!and) {
        throw ParseFailure.plan(
            "random sample expression cannot be used in logical and expression");
      }
      sample = random;
      test = random.predicate();
      if (test == null) {
        return;
      }
    }
    switch (test) {
      case Expr.Constant(boolean truth) -> decided |= truth != and;
      case Expr.And(List<Expr> operands) when and -> tests.addAll(operands);
      case Expr.Or(List<Expr> operands) when !and -> tests.addAll(operands);
      default -> tests.add(test);
    }
  }

  Operand finish() {
    Expr joined =
        decided
            ? (and ? Expr.FALSE : Expr.TRUE)
            : tests.isEmpty()
                ? (and ? Expr.TRUE : Expr.FALSE)
                : tests.size() == 1 ? tests.get(0) : and ? new Expr.And(tests) : new Expr.Or(tests);
    Expr.RandomSample last = sample;
    if (last == null) {
      return new Operand.Test(joined);
    }
    return new Operand.Test(
        new Expr.RandomSample(joined.equals(Expr.TRUE) ? null : joined, last.factor()));
  }
}
