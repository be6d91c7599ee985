package io.elanus.engine.storage.meta;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The watches of an in-process store.
///
/// Thread-safe: guarded by `lock`; listeners run on their executors, never under it.
final class WatchHub {
  /// Events that may wait for one listener before it is told that it lost some.
  static final int MAX_PENDING = 65_536;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<Follower> followers = new ArrayList<>();

  @GuardedBy("lock")
  private long publishedRevision;

  WatchHub(long revision) {
    this.publishedRevision = revision;
  }

  Watch add(String prefix, Executor executor, WatchListener listener) {
    synchronized (lock) {
      Follower follower =
          new Follower(KeyRange.prefix(prefix), executor, listener, publishedRevision);
      followers.add(follower);
      return follower;
    }
  }

  /// Hands the events of whole transactions to the followers; `revision` is the last one's.
  void publish(List<WatchEvent> events, long revision) {
    List<Follower> woken = new ArrayList<>();
    synchronized (lock) {
      publishedRevision = revision;
      for (Follower follower : followers) {
        List<WatchEvent> wanted = new ArrayList<>();
        for (WatchEvent event : events) {
          if (follower.range.contains(event.key())) {
            wanted.add(event);
          }
        }
        if (!wanted.isEmpty() && follower.offer(wanted)) {
          woken.add(follower);
        }
      }
    }
    woken.forEach(Follower::schedule);
  }

  /// One watch: a queue and at most one delivery under way.
  private final class Follower implements Watch {
    private final KeyRange range;
    private final Executor executor;
    private final WatchListener listener;
    private final long startRevision;
    private final Object queueLock = new Object();

    @GuardedBy("queueLock")
    private List<WatchEvent> pending = new ArrayList<>();

    @GuardedBy("queueLock")
    private boolean scheduled;

    @GuardedBy("queueLock")
    private @Nullable DbException lost;

    @GuardedBy("queueLock")
    private boolean closed;

    Follower(KeyRange range, Executor executor, WatchListener listener, long startRevision) {
      this.range = range;
      this.executor = executor;
      this.listener = listener;
      this.startRevision = startRevision;
    }

    /// True when a delivery has to be scheduled.
    boolean offer(List<WatchEvent> events) {
      synchronized (queueLock) {
        if (closed || lost != null) {
          return false;
        }
        if (pending.size() + events.size() > MAX_PENDING && !pending.isEmpty()) {
          pending.clear();
          lost =
              DbException.described(
                  ErrorCode.SERVICE_UNAVAILABLE,
                  "watch fell more than " + MAX_PENDING + " events behind");
        } else {
          pending.addAll(events);
        }
        if (scheduled) {
          return false;
        }
        scheduled = true;
        return true;
      }
    }

    void schedule() {
      try {
        executor.execute(this::deliver);
      } catch (RejectedExecutionException e) {
        // The listener's mailbox is full or closed: what waits is tried again with the next event.
        synchronized (queueLock) {
          scheduled = false;
        }
      }
    }

    private void deliver() {
      List<WatchEvent> events;
      DbException why;
      synchronized (queueLock) {
        events = pending;
        pending = new ArrayList<>();
        scheduled = false;
        why = lost;
        if (closed) {
          return;
        }
      }
      if (why != null) {
        close();
        listener.onLost(why);
      } else if (!events.isEmpty()) {
        listener.onEvents(List.copyOf(events));
      }
    }

    @Override
    public long startRevision() {
      return startRevision;
    }

    @Override
    public void close() {
      synchronized (queueLock) {
        closed = true;
        pending.clear();
      }
      synchronized (lock) {
        followers.remove(this);
      }
    }
  }
}
