package io.elanus.engine.storage.meta;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The leases of an in-process store. They live in memory only: they end with the process.
///
/// Thread-safe: guarded by `lock`.
final class LeaseTable implements AutoCloseable {
  private final Clock clock;
  private final Timers timers;
  private final Consumer<LeaseId> onExpired;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeMap<LeaseId, Grant> grants = new TreeMap<>();

  @GuardedBy("lock")
  private long lastId;

  @GuardedBy("lock")
  private boolean closed;

  /// `onExpired` is told of a lease whose time has passed, on the timer's thread; it must revoke
  /// it.
  LeaseTable(Clock clock, Timers timers, Consumer<LeaseId> onExpired) {
    this.clock = clock;
    this.timers = timers;
    this.onExpired = onExpired;
  }

  private static final class Grant {
    final long ttlNanos;
    final TreeSet<String> keys = new TreeSet<>(Keys::compare);
    long endsAtNanos;
    Timers.@Nullable Cancellable timer;

    Grant(long ttlNanos) {
      this.ttlNanos = ttlNanos;
    }
  }

  static DbException notFound(LeaseId lease) {
    return DbException.withFields(ErrorCode.IO_KEY_NOT_FOUND, "lease", lease);
  }

  LeaseId grant(Duration ttl) {
    if (ttl.isNegative() || ttl.isZero()) {
      throw DbException.invalid("lease time", "above zero", ttl);
    }
    synchronized (lock) {
      LeaseId id = new LeaseId(++lastId);
      Grant grant = new Grant(ttl.toNanos());
      grant.endsAtNanos = clock.nanoTime() + grant.ttlNanos;
      grants.put(id, grant);
      arm(id, grant, grant.ttlNanos);
      return id;
    }
  }

  void keepAlive(LeaseId id) {
    synchronized (lock) {
      Grant grant = grants.get(id);
      if (grant == null) {
        throw notFound(id);
      }
      grant.endsAtNanos = clock.nanoTime() + grant.ttlNanos;
    }
  }

  @GuardedBy("lock")
  private void arm(LeaseId id, Grant grant, long nanos) {
    grant.timer = timers.after(Duration.ofNanos(nanos), Runnable::run, () -> check(id));
  }

  private void check(LeaseId id) {
    synchronized (lock) {
      Grant grant = grants.get(id);
      if (grant == null || closed) {
        return;
      }
      long left = grant.endsAtNanos - clock.nanoTime();
      if (left > 0) {
        arm(id, grant, left);
        return;
      }
    }
    onExpired.accept(id);
  }

  boolean isAlive(LeaseId id) {
    if (id.isNone()) {
      return true;
    }
    synchronized (lock) {
      return grants.containsKey(id);
    }
  }

  void attach(LeaseId id, String key) {
    synchronized (lock) {
      Grant grant = grants.get(id);
      if (grant != null) {
        grant.keys.add(key);
      }
    }
  }

  void detach(LeaseId id, String key) {
    synchronized (lock) {
      Grant grant = grants.get(id);
      if (grant != null) {
        grant.keys.remove(key);
      }
    }
  }

  /// Removes the lease; answers the keys that were attached to it.
  List<String> end(LeaseId id) {
    synchronized (lock) {
      Grant grant = grants.remove(id);
      if (grant == null) {
        return List.of();
      }
      if (grant.timer != null) {
        grant.timer.cancel();
      }
      return new ArrayList<>(grant.keys);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      for (Grant grant : grants.values()) {
        if (grant.timer != null) {
          grant.timer.cancel();
        }
      }
    }
  }
}
