package io.elanus.engine.log;

/// Sizes of an [EmbeddedWal].
///
/// - `segmentBytes`: a log file is followed by a new one when it has this size; truncation removes
///   whole files.
/// - `groupBytes`: the most that one fsync covers.
/// - `maxQueuedBytes`: payload that may wait in one log; more is refused.
/// - `maxRecordBytes`: largest payload of one record.
/// - `unsafeNoFsync`: answers appends before they are on the disk. A power cut then loses
///   acknowledged records, and may leave a log that refuses to open. For throw-away databases only.
///
/// Immutable.
public record EmbeddedWalOptions(
    long segmentBytes,
    int groupBytes,
    long maxQueuedBytes,
    int maxRecordBytes,
    boolean unsafeNoFsync) {
  public static final EmbeddedWalOptions DEFAULT =
      new EmbeddedWalOptions(64 << 20, 6 << 20, 256 << 20, 128 << 20, false);

  public EmbeddedWalOptions withSegmentBytes(long bytes) {
    return new EmbeddedWalOptions(bytes, groupBytes, maxQueuedBytes, maxRecordBytes, unsafeNoFsync);
  }

  public EmbeddedWalOptions withUnsafeNoFsync(boolean unsafe) {
    return new EmbeddedWalOptions(segmentBytes, groupBytes, maxQueuedBytes, maxRecordBytes, unsafe);
  }
}
