package io.elanus.engine.log;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// One term's hold on a [ChannelLog].
///
/// Thread-safe: `state` only moves away from open.
final class EmbeddedWalLog implements WalLog {
  private enum State {
    OPEN,
    FENCED,
    CLOSED
  }

  private final ChannelLog log;
  private final ChannelFiles files;
  private final long term;
  private volatile State state = State.OPEN;

  EmbeddedWalLog(ChannelLog log, ChannelFiles files, long term) {
    this.log = log;
    this.files = files;
    this.term = term;
  }

  void fence() {
    if (state == State.OPEN) {
      state = State.FENCED;
    }
  }

  @Override
  public PChannel pchannel() {
    return files.pchannel();
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public CompletableFuture<List<MessageId>> append(List<ByteBuffer> records) {
    return switch (state) {
      case OPEN -> log.append(this, records);
      case FENCED -> CompletableFuture.failedFuture(WalErrors.fenced(pchannel(), term));
      case CLOSED -> CompletableFuture.failedFuture(WalErrors.closed(pchannel()));
    };
  }

  @Override
  public WalReader read(MessageId from) {
    return new EmbeddedReader(files, from);
  }

  @Override
  public CompletableFuture<Void> truncate(MessageId before) {
    return switch (state) {
      case OPEN -> log.truncate(before.value());
      case FENCED -> CompletableFuture.failedFuture(WalErrors.fenced(pchannel(), term));
      case CLOSED -> CompletableFuture.failedFuture(WalErrors.closed(pchannel()));
    };
  }

  @Override
  public CompletableFuture<MessageId> persistHighWater() {
    return log.persistHighWater();
  }

  @Override
  public MessageId firstId() {
    long first = files.firstBase();
    return first > files.lastSequence() ? MessageId.NONE : new MessageId(first);
  }

  @Override
  public MessageId lastId() {
    return new MessageId(files.lastSequence());
  }

  @Override
  public void close() {
    if (state == State.OPEN) {
      state = State.CLOSED;
      log.persistHighWater();
    }
  }
}
