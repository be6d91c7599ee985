package io.elanus.base.schema;

/// Consistency levels with their wire numbers (rule C-02).
///
/// Immutable.
public enum ConsistencyLevel {
  STRONG(0, "Strong"),
  SESSION(1, "Session"),
  BOUNDED(2, "Bounded"),
  EVENTUALLY(3, "Eventually"),
  CUSTOMIZED(4, "Customized");

  private final int number;
  private final String wireName;

  ConsistencyLevel(int number, String wireName) {
    this.number = number;
    this.wireName = wireName;
  }

  public int number() {
    return number;
  }

  public String wireName() {
    return wireName;
  }

  /// The level with this number; unknown numbers are Strong, the wire's zero value.
  public static ConsistencyLevel ofNumber(int number) {
    for (ConsistencyLevel level : values()) {
      if (level.number == number) {
        return level;
      }
    }
    return STRONG;
  }
}
