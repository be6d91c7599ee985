package io.elanus.engine.expr.tree;

/// Arithmetic between a field and a constant, field on the left.
///
/// Immutable.
public enum ArithOp {
  ADD("+", "add"),
  SUB("-", "subtract"),
  MUL("*", "multiply"),
  DIV("/", "divide"),
  MOD("%", "modulo");

  private final String text;
  private final String word;

  ArithOp(String text, String word) {
    this.text = text;
    this.word = word;
  }

  public String text() {
    return text;
  }

  /// The name in error texts.
  public String word() {
    return word;
  }
}
