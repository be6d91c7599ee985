package io.elanus.engine.expr.tree;

/// Comparison operators.
///
/// Immutable.
public enum CompareOp {
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">="),
  EQ("=="),
  NE("!=");

  private final String text;

  CompareOp(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /// The operator that says the same with both sides swapped.
  public CompareOp swapped() {
    return switch (this) {
      case LT -> GT;
      case LE -> GE;
      case GT -> LT;
      case GE -> LE;
      case EQ -> EQ;
      case NE -> NE;
    };
  }

  /// Whether `left op right` holds when `Comparator.compare(left, right)` gave `order`.
  public boolean holds(int order) {
    return switch (this) {
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
      case EQ -> order == 0;
      case NE -> order != 0;
    };
  }
}
