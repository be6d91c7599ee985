package io.elanus.engine.expr.tree;

/// Arithmetic between a field and a constant, field on the left. The bitwise ones take integers
/// only.
///
/// Immutable.
public enum ArithOp {
  ADD("+", "add"),
  SUB("-", "subtract"),
  MUL("*", "multiply"),
  DIV("/", "divide"),
  MOD("%", "modulo"),
  BIT_AND("&", "bitand"),
  BIT_OR("|", "bitor"),
  BIT_XOR("^", "bitxor");

  private final String text;
  private final String word;

  ArithOp(String text, String word) {
    this.text = text;
    this.word = word;
  }

  public String text() {
    return text;
  }

  /// Whether it takes bits of integers apart.
  public boolean isBitwise() {
    return this == BIT_AND || this == BIT_OR || this == BIT_XOR;
  }

  /// The name in error texts.
  public String word() {
    return word;
  }
}
