package io.elanus.engine.expr.tree;

/// How many of the wanted elements an array must hold.
///
/// Immutable.
public enum ContainsMode {
  /// The one element given.
  ONE("json_contains", "Contains"),
  ALL("json_contains_all", "ContainsAll"),
  ANY("json_contains_any", "ContainsAny");

  private final String function;
  private final String wireName;

  ContainsMode(String function, String wireName) {
    this.function = function;
    this.wireName = wireName;
  }

  public String function() {
    return function;
  }

  /// The name in error texts.
  public String wireName() {
    return wireName;
  }
}
