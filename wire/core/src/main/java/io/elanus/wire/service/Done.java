package io.elanus.wire.service;

/// The answer of a call that has nothing to say but that it is done.
///
/// Immutable.
public record Done() {
  public static final Done INSTANCE = new Done();
}
