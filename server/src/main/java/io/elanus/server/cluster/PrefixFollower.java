package io.elanus.server.cluster;

import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.engine.storage.meta.Watch;
import io.elanus.engine.storage.meta.WatchEvent;
import io.elanus.engine.storage.meta.WatchListener;
import io.elanus.role.coord.part.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The entries below a prefix, as of the newest change heard of. A watch that was lost is begun
/// anew; until then the entries stay as they were, for an old answer costs a retry and none costs
/// an outage.
///
/// Owned by: its loop; the listener is called there.
final class PrefixFollower implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PrefixFollower.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(20);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(2);

  private final MetaStore meta;
  private final Threads threads;
  private final Loop loop;
  private final String prefix;
  private final Consumer<Map<String, KeyValue>> listener;
  private final TreeMap<String, KeyValue> entries = new TreeMap<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private volatile Changes current = new Changes();
  private long seenRevision;
  private int attempts;
  private volatile boolean closed;

  /// `listener` gets all entries whenever some changed; it must not keep the map.
  PrefixFollower(
      MetaStore meta,
      Threads threads,
      Loop loop,
      String prefix,
      Consumer<Map<String, KeyValue>> listener) {
    this.meta = meta;
    this.threads = threads;
    this.loop = loop;
    this.prefix = prefix;
    this.listener = listener;
  }

  /// Completes once the entries have been read for the first time.
  CompletableFuture<Void> start() {
    loop.execute(this::follow);
    return ready;
  }

  /// Watch first, then read: no change is missed between.
  private void follow() {
    if (closed) {
      return;
    }
    Changes changes = new Changes();
    current = changes;
    meta.watch(prefix, Waits.unlessClosed(loop), changes)
        .thenCompose(watch -> {
          changes.watch = watch;
          return meta.range(KeyRange.prefix(prefix));
        })
        .whenCompleteAsync(
            (all, failure) -> {
              if (closed || changes != current) {
                changes.end();
              } else if (failure == null) {
                begin(changes, all);
              } else {
                again(failure);
              }
            },
            Waits.unlessClosed(loop));
  }

  private void begin(Changes changes, RangeResult all) {
    attempts = 0;
    seenRevision = all.revision();
    entries.clear();
    all.entries().forEach(entry -> entries.put(entry.key(), entry));
    changes.early.forEach(this::apply);
    changes.early.clear();
    changes.begun = true;
    listener.accept(entries);
    ready.complete(null);
  }

  private void again(Throwable why) {
    if (closed) {
      return;
    }
    current.end();
    current = new Changes();
    log.atDebug().addKeyValue("prefix", prefix).setCause(why).log("watch is begun anew");
    Duration pause = Waits.backoff(RETRY_FIRST, RETRY_LIMIT, attempts++, 0);
    threads.timers().after(pause, Waits.unlessClosed(loop), this::follow);
  }

  private void apply(WatchEvent event) {
    if (event.revision() < seenRevision) {
      return;
    }
    seenRevision = event.revision();
    switch (event) {
      case WatchEvent.Updated updated -> entries.put(updated.key(), updated.entry());
      case WatchEvent.Deleted deleted -> entries.remove(deleted.key());
    }
  }

  /// One watch. Until the entries are read, its changes wait.
  private final class Changes implements WatchListener {
    final List<WatchEvent> early = new ArrayList<>();
    volatile @Nullable Watch watch;
    boolean begun;

    void end() {
      Watch running = watch;
      if (running != null) {
        running.close();
      }
    }

    @Override
    public void onEvents(List<WatchEvent> events) {
      if (this != current) {
        return;
      }
      if (!begun) {
        early.addAll(events);
        return;
      }
      long before = seenRevision;
      events.forEach(PrefixFollower.this::apply);
      if (seenRevision > before) {
        listener.accept(entries);
      }
    }

    @Override
    public void onLost(Throwable why) {
      if (this == current) {
        again(why);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    current.end();
  }
}
