package io.elanus.base.id;

/// Position of a record on the log of one PChannel. Ordered, strictly increasing along the log, not
/// necessarily dense; comparable only within one PChannel.
///
/// Immutable.
public record MessageId(long value) implements Comparable<MessageId> {
  /// Before every record.
  public static final MessageId NONE = new MessageId(-1);

  public boolean isNone() {
    return value < 0;
  }

  public boolean isAfter(MessageId other) {
    return value > other.value;
  }

  /// The smallest id that may follow this one; to start reading behind a record.
  public MessageId next() {
    return new MessageId(value + 1);
  }

  @Override
  public int compareTo(MessageId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
