package io.elanus.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.log.WalReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A [WalBackend] in front of another one whose appends can be refused, or answered late: held
/// appends are written at once, but nobody is told until [#release].
///
/// Thread-safe: guarded by `lock`; futures complete outside of it.
public final class FaultyWal implements WalBackend {
  private final WalBackend wal;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<Runnable> held = new ArrayList<>();

  @GuardedBy("lock")
  private boolean holding;

  @GuardedBy("lock")
  private int failures;

  @GuardedBy("lock")
  private @Nullable DbException failure;

  @GuardedBy("lock")
  private int appends;

  public FaultyWal(WalBackend wal) {
    this.wal = wal;
  }

  /// The next `count` appends fail with `error` and write nothing.
  public void failNextAppends(int count, DbException error) {
    synchronized (lock) {
      failures = count;
      failure = error;
    }
  }

  /// Answers of appends wait until [#release] or [#releaseOne].
  public void holdAnswers() {
    synchronized (lock) {
      holding = true;
    }
  }

  /// Gives the oldest answer that waits; false when none does.
  public boolean releaseOne() {
    Runnable answer;
    synchronized (lock) {
      if (held.isEmpty()) {
        return false;
      }
      answer = held.removeFirst();
    }
    answer.run();
    return true;
  }

  /// Gives every answer that waits, in order, and holds none back from then on.
  public void release() {
    synchronized (lock) {
      holding = false;
    }
    boolean more;
    do {
      more = releaseOne();
    } while (more);
  }

  /// Answers that wait.
  public int heldCount() {
    synchronized (lock) {
      return held.size();
    }
  }

  /// Batches given to `append` so far.
  public int appendCount() {
    synchronized (lock) {
      return appends;
    }
  }

  @Override
  public CompletableFuture<WalLog> open(PChannel pchannel, long term, WalOpenOptions options) {
    return wal.open(pchannel, term, options).thenApply(Log::new);
  }

  @Override
  public void close() {
    wal.close();
  }

  private void answer(Runnable answer) {
    synchronized (lock) {
      if (holding) {
        held.add(answer);
        return;
      }
    }
    answer.run();
  }

  private final class Log implements WalLog {
    private final WalLog log;

    Log(WalLog log) {
      this.log = log;
    }

    @Override
    public PChannel pchannel() {
      return log.pchannel();
    }

    @Override
    public long term() {
      return log.term();
    }

    @Override
    public CompletableFuture<List<MessageId>> append(List<ByteBuffer> records) {
      CompletableFuture<List<MessageId>> future = new CompletableFuture<>();
      DbException error = null;
      synchronized (lock) {
        appends++;
        if (failures > 0) {
          failures--;
          error = failure;
        }
      }
      if (error != null) {
        DbException refused = error;
        answer(() -> future.completeExceptionally(refused));
        return future;
      }
      log.append(records)
          .whenComplete((ids, failed) ->
              answer(() -> {
                if (failed != null) {
                  future.completeExceptionally(failed);
                } else {
                  future.complete(ids);
                }
              }));
      return future;
    }

    @Override
    public WalReader read(MessageId from) {
      return log.read(from);
    }

    @Override
    public CompletableFuture<Void> truncate(MessageId before) {
      return log.truncate(before);
    }

    @Override
    public CompletableFuture<MessageId> persistHighWater() {
      return log.persistHighWater();
    }

    @Override
    public MessageId firstId() {
      return log.firstId();
    }

    @Override
    public MessageId lastId() {
      return log.lastId();
    }

    @Override
    public void close() {
      log.close();
    }
  }
}
