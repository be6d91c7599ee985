package io.elanus.engine.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.id.MessageId;
import io.elanus.base.loop.Loop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One log of an [EmbeddedWal]: a queue, and a writer that takes what waits, writes it as one group
/// with one fsync, and answers in order.
///
/// Thread-safe: the queue is guarded by `queueLock`; files belong to the writer loop.
final class ChannelLog {
  private static final Logger log = LoggerFactory.getLogger(ChannelLog.class);

  /// Something queued for the writer.
  private sealed interface Work {
    void fail(DbException error);
  }

  private record Append(
      EmbeddedWalLog owner,
      List<ByteBuffer> records,
      long bytes,
      CompletableFuture<List<MessageId>> future)
      implements Work {
    @Override
    public void fail(DbException error) {
      future.completeExceptionally(error);
    }
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private record Control<T>(Call<T> call, CompletableFuture<T> future) implements Work {
    void run(ChannelLog owner) {
      try {
        future.complete(call.run());
      } catch (DbException e) {
        fail(e);
      } catch (IOException | RuntimeException e) {
        fail(WalErrors.io(owner.opening.pchannel(), "operation failed", e));
      }
    }

    @Override
    public void fail(DbException error) {
      future.completeExceptionally(error);
    }
  }

  private final ChannelFiles.Opening opening;
  private final EmbeddedWalOptions options;
  private final Loop writer;
  private final Object queueLock = new Object();

  @GuardedBy("queueLock")
  private final ArrayDeque<Work> queue = new ArrayDeque<>();

  @GuardedBy("queueLock")
  private long queuedBytes;

  @GuardedBy("queueLock")
  private boolean scheduled;

  @GuardedBy("queueLock")
  private boolean closed;

  private @Nullable ChannelFiles files;
  private @Nullable EmbeddedWalLog current;

  ChannelLog(ChannelFiles.Opening opening, Loop writer) {
    this.opening = opening;
    this.options = opening.options();
    this.writer = writer;
  }

  CompletableFuture<WalLog> open(long term, WalOpenOptions how) {
    return control(() -> {
      ChannelFiles here = files;
      long highWater = how.highWater().value();
      if (here == null) {
        here = ChannelFiles.open(opening, highWater);
        files = here;
      }
      if (term < here.term()) {
        throw WalErrors.fenced(opening.pchannel(), term);
      }
      here.checkHolds(highWater);
      here.setTerm(term);
      EmbeddedWalLog before = current;
      if (before != null) {
        before.fence();
      }
      EmbeddedWalLog opened = new EmbeddedWalLog(this, here, term);
      current = opened;
      return opened;
    });
  }

  CompletableFuture<List<MessageId>> append(EmbeddedWalLog owner, List<ByteBuffer> records) {
    long bytes = 0;
    for (ByteBuffer record : records) {
      if (record.remaining() > options.maxRecordBytes()) {
        return CompletableFuture.failedFuture(
            WalErrors.tooLarge(opening.pchannel(), record.remaining(), options.maxRecordBytes()));
      }
      bytes += Frame.bytesOf(record);
    }
    return submit(new Append(owner, List.copyOf(records), bytes, new CompletableFuture<>()));
  }

  private CompletableFuture<List<MessageId>> submit(Append append) {
    synchronized (queueLock) {
      if (closed) {
        append.fail(WalErrors.closed(opening.pchannel()));
        return append.future();
      }
      if (queuedBytes > 0 && queuedBytes + append.bytes() > options.maxQueuedBytes()) {
        append.fail(WalErrors.tooMany(opening.pchannel()));
        return append.future();
      }
      queuedBytes += append.bytes();
      if (!add(append)) {
        return append.future();
      }
    }
    schedule();
    return append.future();
  }

  CompletableFuture<Void> truncate(long before) {
    return control(
            () -> {
              opened().truncate(before);
              return true;
            })
        .thenAccept(_ -> {});
  }

  CompletableFuture<MessageId> persistHighWater() {
    return control(() -> {
      opened().persistMark();
      return new MessageId(opened().lastSequence());
    });
  }

  private ChannelFiles opened() {
    ChannelFiles here = files;
    if (here == null) {
      throw WalErrors.closed(opening.pchannel());
    }
    return here;
  }

  private <T> CompletableFuture<T> control(Call<T> call) {
    Control<T> control = new Control<>(call, new CompletableFuture<>());
    boolean wake;
    synchronized (queueLock) {
      if (closed) {
        control.fail(WalErrors.closed(opening.pchannel()));
        return control.future();
      }
      wake = add(control);
    }
    if (wake) {
      schedule();
    }
    return control.future();
  }

  /// True when the writer has to be woken.
  @GuardedBy("queueLock")
  private boolean add(Work work) {
    queue.add(work);
    boolean wake = !scheduled;
    scheduled = true;
    return wake;
  }

  private void schedule() {
    try {
      writer.execute(this::drain);
    } catch (RejectedExecutionException e) {
      List<Work> refused;
      synchronized (queueLock) {
        refused = List.copyOf(queue);
        queue.clear();
        queuedBytes = 0;
        scheduled = false;
      }
      refused.forEach(work -> work.fail(WalErrors.closed(opening.pchannel())));
    }
  }

  private void drain() {
    while (true) {
      Control<?> control = null;
      List<Append> group = new ArrayList<>();
      synchronized (queueLock) {
        if (queue.isEmpty()) {
          scheduled = false;
          return;
        }
        if (queue.peek() instanceof Control<?> next) {
          control = next;
          queue.remove();
        } else {
          takeGroup(group);
        }
      }
      if (control != null) {
        control.run(this);
      } else {
        write(group);
      }
    }
  }

  @GuardedBy("queueLock")
  private void takeGroup(List<Append> group) {
    long bytes = 0;
    while (queue.peek() instanceof Append next) {
      if (!group.isEmpty() && bytes + next.bytes() > options.groupBytes()) {
        break;
      }
      bytes += next.bytes();
      queue.remove();
      group.add(next);
    }
    queuedBytes -= bytes;
  }

  private void write(List<Append> group) {
    List<Append> accepted = new ArrayList<>(group.size());
    List<ByteBuffer> records = new ArrayList<>();
    for (Append append : group) {
      if (append.owner() == current) {
        accepted.add(append);
        records.addAll(append.records());
      } else {
        append.fail(WalErrors.fenced(opening.pchannel(), append.owner().term()));
      }
    }
    if (accepted.isEmpty()) {
      return;
    }
    long sequence;
    try {
      sequence = opened().append(records);
    } catch (IOException | RuntimeException e) {
      DbException error =
          e instanceof DbException known
              ? known
              : WalErrors.io(opening.pchannel(), "append failed", e);
      accepted.forEach(append -> append.fail(error));
      return;
    }
    refreshMark();
    for (Append append : accepted) {
      List<MessageId> ids = new ArrayList<>(append.records().size());
      for (int i = 0; i < append.records().size(); i++) {
        ids.add(new MessageId(sequence++));
      }
      append.future().complete(ids);
    }
  }

  private void refreshMark() {
    try {
      opened().refreshMark();
    } catch (IOException e) {
      // The records are durable all the same; only less is known about them until the next mark.
      log.atWarn()
          .addKeyValue("pchannel", opening.pchannel())
          .setCause(e)
          .log("durable mark not written");
    }
  }

  /// Waits for what is queued, then closes the files.
  void close() {
    Control<Boolean> last = new Control<>(this::closeFiles, new CompletableFuture<>());
    boolean wake;
    synchronized (queueLock) {
      if (closed) {
        return;
      }
      wake = add(last);
      closed = true;
    }
    if (wake) {
      schedule();
    }
    CompletableFuture<Boolean> done = last.future();
    writer.close();
    if (done.isCompletedExceptionally()) {
      log.atWarn().addKeyValue("pchannel", opening.pchannel()).log("log not closed cleanly");
    }
  }

  private boolean closeFiles() throws IOException {
    ChannelFiles open = files;
    files = null;
    if (open != null) {
      open.close();
    }
    return true;
  }
}
