package io.elanus.engine.log;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// One writer's hold on the log of a PChannel, for one term. Any number of batches may be in
/// flight; they are written, and their futures completed, in the order of the calls. Futures
/// complete on the log's own thread: continuations must be short and must not block.
///
/// Thread-safe: callable from any thread; appends of one thread keep their order.
public interface WalLog extends AutoCloseable {
  PChannel pchannel();

  long term();

  /// Appends the remaining bytes of each buffer as one record; completes with their ids once all
  /// are durable. The buffers must not change until then; their positions aren't moved.
  ///
  /// Fails with CHANNEL_NOT_AVAILABLE when this log is fenced or closed; with IO_FAILED (retriable)
  /// when the disk failed or is full: then no record of the batch is in the log and a later append
  /// can succeed; with TOO_MANY_REQUESTS when too much is in flight; with PARAMETER_TOO_LARGE for a
  /// record above the engine's limit. After a crash a batch that wasn't answered may be there,
  /// wholly or its first records only.
  CompletableFuture<List<MessageId>> append(List<ByteBuffer> records);

  /// [#append] for whole arrays.
  default CompletableFuture<List<MessageId>> appendBytes(List<byte[]> records) {
    List<ByteBuffer> buffers = new ArrayList<>(records.size());
    for (byte[] record : records) {
      buffers.add(ByteBuffer.wrap(record));
    }
    return append(buffers);
  }

  /// A reader that starts with the first record at or behind `from` ([MessageId#NONE]: the oldest
  /// one). IO_KEY_NOT_FOUND when `from` has been truncated away. Opening and reading block on the
  /// disk.
  WalReader read(MessageId from);

  /// Allows the log to forget records below `before`; it may keep them longer. Completes when the
  /// new beginning is durable.
  CompletableFuture<Void> truncate(MessageId before);

  /// Makes the present end of the log durable knowledge, so that any later loss of a record up to
  /// it is detected. To be called with checkpoints. Answers that position.
  CompletableFuture<MessageId> persistHighWater();

  /// Oldest record; [MessageId#NONE] when the log holds none.
  MessageId firstId();

  /// Newest durable record, also when it has been truncated since; [MessageId#NONE] on a log that
  /// never had one.
  MessageId lastId();

  /// Refuses further appends; those in flight are still answered. Idempotent, doesn't wait.
  @Override
  void close();
}
