package io.elanus.engine.log;

import io.elanus.base.id.MessageId;
import java.util.List;

/// Reads a log in order. Calls block on the disk.
///
/// Confined to the caller.
public interface WalReader extends AutoCloseable {
  /// The next records, about `maxBytes` of them but at least one if there is any; empty when the
  /// reader has caught up with what was durable at the call. Later calls see what was appended
  /// since.
  ///
  /// DATA_INTEGRITY when a record's checksum is wrong or one is missing, IO_KEY_NOT_FOUND when the
  /// log was truncated beyond the reader's position.
  List<WalRecord> readBatch(int maxBytes);

  /// Where the next record will be at or behind.
  MessageId position();

  @Override
  void close();
}
