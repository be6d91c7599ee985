package io.elanus.engine.log;

import io.elanus.base.id.PChannel;
import java.util.concurrent.CompletableFuture;

/// SPI of the log: one ordered, durable, fenced log per PChannel.
///
/// Thread-safe: callable from any thread.
public interface WalBackend extends AutoCloseable {
  /// Opens the log of `pchannel` for a writer of `term` and fences every writer that opened it
  /// before with the same or a lower term: once the future has completed, none of their appends
  /// succeeds.
  ///
  /// Fails with CHANNEL_NOT_AVAILABLE when a higher term has opened the log already; with
  /// DATA_INTEGRITY when durable records are damaged or missing (the message names file, offset and
  /// remedy); with OPERATION_UNSUPPORTED when a newer version wrote the log; with IO_FAILED when
  /// the disk or the service fails.
  CompletableFuture<WalLog> open(PChannel pchannel, long term, WalOpenOptions options);

  /// Waits for accepted appends, then ends all logs. Idempotent.
  @Override
  void close();
}
