package io.elanus.engine.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// A [WalBackend] on the heap, for tests and throw-away databases: records live until they are
/// truncated or the backend is gone. Futures complete before the call returns.
///
/// Thread-safe: each log is guarded by its own `lock`.
public final class MemoryWal implements WalBackend {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeMap<PChannel, Channel> channels = new TreeMap<>();

  @GuardedBy("lock")
  private boolean closed;

  @Override
  public CompletableFuture<WalLog> open(PChannel pchannel, long term, WalOpenOptions options) {
    Channel channel;
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(WalErrors.closed(pchannel));
      }
      channel = channels.computeIfAbsent(pchannel, Channel::new);
    }
    return channel.open(term, options.highWater());
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      channels.values().forEach(Channel::close);
    }
  }

  private static final class Channel {
    private final PChannel pchannel;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final TreeMap<Long, byte[]> records = new TreeMap<>();

    @GuardedBy("lock")
    private long first;

    @GuardedBy("lock")
    private long last = -1;

    @GuardedBy("lock")
    private long term = -1;

    @GuardedBy("lock")
    private long holder;

    Channel(PChannel pchannel) {
      this.pchannel = pchannel;
    }

    CompletableFuture<WalLog> open(long newTerm, MessageId highWater) {
      synchronized (lock) {
        if (newTerm < term) {
          return CompletableFuture.failedFuture(WalErrors.fenced(pchannel, newTerm));
        }
        if (highWater.value() > last) {
          return CompletableFuture.failedFuture(WalErrors.endsEarly(pchannel, last, highWater));
        }
        term = newTerm;
        return CompletableFuture.completedFuture(new Handle(this, newTerm, ++holder));
      }
    }

    void close() {
      synchronized (lock) {
        holder++;
      }
    }

    CompletableFuture<List<MessageId>> append(Handle handle, List<ByteBuffer> batch) {
      List<MessageId> ids = new ArrayList<>(batch.size());
      synchronized (lock) {
        if (handle.number != holder) {
          return CompletableFuture.failedFuture(WalErrors.fenced(pchannel, handle.term));
        }
        for (ByteBuffer record : batch) {
          byte[] copy = new byte[record.remaining()];
          record.duplicate().get(copy);
          records.put(++last, copy);
          ids.add(new MessageId(last));
        }
      }
      return CompletableFuture.completedFuture(ids);
    }

    void truncate(Handle handle, long before) {
      synchronized (lock) {
        if (handle.number != holder) {
          throw WalErrors.fenced(pchannel, handle.term);
        }
        first = Math.max(first, Math.min(before, last + 1));
        records.headMap(first).clear();
      }
    }

    MessageId firstId() {
      synchronized (lock) {
        return records.isEmpty() ? MessageId.NONE : new MessageId(records.firstKey());
      }
    }

    MessageId lastId() {
      synchronized (lock) {
        return new MessageId(last);
      }
    }

    /// Position that reading may begin with; fails when it is truncated.
    long startOf(MessageId from) {
      synchronized (lock) {
        if (from.isNone()) {
          return first;
        }
        if (from.value() < first) {
          throw WalErrors.truncated(pchannel, from.value(), first);
        }
        return from.value();
      }
    }

    List<WalRecord> readFrom(long from, int maxBytes) {
      List<WalRecord> found = new ArrayList<>();
      synchronized (lock) {
        if (from < first) {
          throw WalErrors.truncated(pchannel, from, first);
        }
        long bytes = 0;
        for (var record : records.tailMap(from).entrySet()) {
          byte[] payload = record.getValue();
          if (!found.isEmpty() && bytes + payload.length > maxBytes) {
            break;
          }
          bytes += payload.length;
          found.add(new WalRecord(new MessageId(record.getKey()), payload, 0, payload.length));
        }
      }
      return found;
    }
  }

  private static final class Handle implements WalLog {
    private final Channel channel;
    private final long term;
    private final long number;
    private volatile boolean closed;

    Handle(Channel channel, long term, long number) {
      this.channel = channel;
      this.term = term;
      this.number = number;
    }

    @Override
    public PChannel pchannel() {
      return channel.pchannel;
    }

    @Override
    public long term() {
      return term;
    }

    @Override
    public CompletableFuture<List<MessageId>> append(List<ByteBuffer> records) {
      return closed
          ? CompletableFuture.failedFuture(WalErrors.closed(pchannel()))
          : channel.append(this, records);
    }

    @Override
    public WalReader read(MessageId from) {
      return new Reader(channel, channel.startOf(from));
    }

    @Override
    public CompletableFuture<Void> truncate(MessageId before) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      if (closed) {
        return CompletableFuture.failedFuture(WalErrors.closed(pchannel()));
      }
      try {
        channel.truncate(this, before.value());
      } catch (io.elanus.base.error.DbException e) {
        done.completeExceptionally(e);
        return done;
      }
      return CompletableFuture.completedFuture(before).thenAccept(_ -> {});
    }

    @Override
    public CompletableFuture<MessageId> persistHighWater() {
      return CompletableFuture.completedFuture(lastId());
    }

    @Override
    public MessageId firstId() {
      return channel.firstId();
    }

    @Override
    public MessageId lastId() {
      return channel.lastId();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static final class Reader implements WalReader {
    private final Channel channel;
    private long next;
    private boolean closed;

    Reader(Channel channel, long from) {
      this.channel = channel;
      this.next = from;
    }

    @Override
    public List<WalRecord> readBatch(int maxBytes) {
      if (closed) {
        throw WalErrors.closed(channel.pchannel);
      }
      List<WalRecord> found = channel.readFrom(next, maxBytes);
      if (!found.isEmpty()) {
        next = found.getLast().id().value() + 1;
      }
      return found;
    }

    @Override
    public MessageId position() {
      return new MessageId(next);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
