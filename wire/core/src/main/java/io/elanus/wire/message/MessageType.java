package io.elanus.wire.message;

/// Kinds of WAL messages: stored number, body version, and what they lock on the WAL (rule W-08).
/// Numbers are part of the stored format and never reused.
///
/// Immutable.
public enum MessageType {
  TIME_TICK(1, Scope.NONE),
  INSERT(2, Scope.SHARED),
  DELETE(3, Scope.SHARED),
  BEGIN_TXN(10, Scope.SHARED),
  COMMIT_TXN(11, Scope.SHARED),
  ROLLBACK_TXN(12, Scope.SHARED),
  CREATE_SEGMENT(20, Scope.NONE),
  FLUSH(21, Scope.NONE),
  MANUAL_FLUSH(22, Scope.VCHANNEL),
  CREATE_COLLECTION(30, Scope.VCHANNEL),
  DROP_COLLECTION(31, Scope.VCHANNEL),
  ALTER_COLLECTION(32, Scope.VCHANNEL),
  CREATE_PARTITION(33, Scope.VCHANNEL),
  DROP_PARTITION(34, Scope.VCHANNEL),
  CREATE_INDEX(40, Scope.SHARED),
  ALTER_INDEX(41, Scope.SHARED),
  DROP_INDEX(42, Scope.SHARED),
  ALTER_LOAD_CONFIG(43, Scope.SHARED),
  DROP_LOAD_CONFIG(44, Scope.SHARED),
  CREATE_DATABASE(50, Scope.SHARED),
  ALTER_DATABASE(51, Scope.SHARED),
  DROP_DATABASE(52, Scope.SHARED),
  ALTER_ALIAS(53, Scope.SHARED),
  DROP_ALIAS(54, Scope.SHARED);

  /// What the message takes on the WAL while it is appended. The copy on a control channel always
  /// takes SHARED.
  public enum Scope {
    /// Made by the sequencer itself.
    NONE,
    SHARED,
    /// Exclusive on its VChannel: fails open transactions there.
    VCHANNEL,
    /// Exclusive on the PChannel.
    PCHANNEL
  }

  private final int number;
  private final Scope scope;

  MessageType(int number, Scope scope) {
    this.number = number;
    this.scope = scope;
  }

  public int number() {
    return number;
  }

  public Scope scope() {
    return scope;
  }
}
