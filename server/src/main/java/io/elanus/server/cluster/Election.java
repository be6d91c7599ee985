package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.part.Leadership;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.status.WireStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which of several coordinators is active: the one whose lease holds `coord/leader`. The lease
/// decides who starts, the term that the active one takes then fences whoever was active before
/// (rules R-20, B-33); by [#isHeld] a paused predecessor stops by itself before a successor can
/// start (rule T-02).
///
/// Owned by: its loop; `isHeld` and the futures may be used from anywhere.
public final class Election implements Leadership, AutoCloseable {
  static final String LEADER_KEY = "coord/leader";
  private static final Logger log = LoggerFactory.getLogger(Election.class);
  private static final Duration RETRY_FIRST = Duration.ofMillis(20);
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(1);

  private final MetaStore meta;
  private final Threads threads;
  private final Executor executor;
  private final NodeId self;
  private final Duration ttl;
  private final PrefixFollower follower;
  private final CompletableFuture<Void> elected = new CompletableFuture<>();
  private final CompletableFuture<Void> lost = new CompletableFuture<>();
  private volatile @Nullable KeptLease lease;
  private boolean taken = true;
  private boolean trying;
  private int attempts;
  private volatile boolean closed;

  public Election(MetaStore meta, Threads threads, Loop loop, NodeId self, Duration ttl) {
    this.meta = meta;
    this.threads = threads;
    this.executor = Waits.unlessClosed(loop);
    this.self = self;
    this.ttl = ttl;
    this.follower =
        new PrefixFollower(
            meta,
            threads,
            loop,
            LEADER_KEY,
            entries -> {
              taken = entries.containsKey(LEADER_KEY);
              tryToLead();
            });
  }

  /// Stands for election; completes when this process leads, however long that takes.
  public CompletableFuture<Void> campaign() {
    follower.start();
    return elected;
  }

  private void tryToLead() {
    if (closed || taken || trying || elected.isDone()) {
      return;
    }
    trying = true;
    KeptLease.grant(meta, threads, executor, ttl)
        .thenCompose(this::take)
        .whenCompleteAsync(
            (won, failure) -> {
              trying = false;
              if (failure != null) {
                log.atDebug().setCause(failure).log("election failed, retrying");
                later();
              } else if (won != null) {
                lead(won);
              } else {
                later();
              }
            },
            executor);
  }

  private void later() {
    Duration pause = Waits.backoff(RETRY_FIRST, RETRY_LIMIT, attempts++, 0);
    threads.timers().after(pause, executor, this::tryToLead);
  }

  /// The lease when it holds the leader's key now; it is ended otherwise, also when the outcome is
  /// unknown.
  private CompletableFuture<@Nullable KeptLease> take(KeptLease candidate) {
    Txn txn =
        Txn.builder()
            .ifAbsent(LEADER_KEY)
            .put(LEADER_KEY, self.toString().getBytes(StandardCharsets.UTF_8), candidate.id())
            .build();
    return meta.txn(txn)
        .handle((result, failure) -> {
          if (failure == null && result.succeeded()) {
            return candidate;
          }
          candidate.close();
          if (failure != null) {
            throw WireStatus.classify(failure);
          }
          return null;
        });
  }

  private void lead(KeptLease won) {
    if (closed) {
      won.close();
      return;
    }
    lease = won;
    won.lost().whenComplete((_, why) -> lost.completeExceptionally(why));
    elected.complete(null);
  }

  @Override
  public boolean isHeld() {
    KeptLease held = lease;
    return held != null && held.isHeld();
  }

  /// Fails once another process may lead; never completes otherwise.
  public CompletableFuture<Void> lost() {
    return lost;
  }

  /// Steps down.
  @Override
  public void close() {
    closed = true;
    follower.close();
    KeptLease held = lease;
    if (held != null) {
      held.close();
    }
    elected.completeExceptionally(
        DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "the election is closed"));
  }
}
