package io.elanus.role.proxy.api;

import io.elanus.base.schema.ConsistencyLevel;

/// What the client said about consistency: use the collection's level, or this level with the
/// guarantee timestamp it sent (0 = none; old clients put markers there, rule C-03).
///
/// Immutable.
public record Consistency(boolean useDefault, ConsistencyLevel level, long guaranteeTimestamp) {
  public static final Consistency DEFAULT = new Consistency(true, ConsistencyLevel.STRONG, 0);
}
