package io.elanus.engine.log;

import io.elanus.base.id.MessageId;

/// How to open a log. `highWater` is a position that the caller knows to be durable (from a
/// checkpoint), [MessageId#NONE] when it knows none: a log that ends before it is damaged, not
/// short.
///
/// Immutable.
public record WalOpenOptions(MessageId highWater) {
  public static final WalOpenOptions DEFAULT = new WalOpenOptions(MessageId.NONE);
}
