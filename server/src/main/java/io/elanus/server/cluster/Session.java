package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.codec.WireJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// This process among those that are alive: an entry that ends with its lease. A process gets a new
/// id each time it starts, so that nobody takes it for the one before. One whose session is lost
/// must end: others act as if it were gone.
///
/// Thread-safe.
public final class Session implements AutoCloseable {
  static final String PREFIX = "session/node/";
  private static final String LAST_ID_KEY = "session/last-id";

  /// A process as others see it.
  ///
  /// @param address where its services are reached, `host:port`
  public record Member(NodeId node, List<Role> roles, String address) {
    public Member {
      roles = List.copyOf(roles);
    }
  }

  private final Member member;
  private final KeptLease lease;

  private Session(Member member, KeptLease lease) {
    this.member = member;
    this.lease = lease;
  }

  /// An id that no process of the cluster had before; also for one that is not announced yet.
  public static CompletableFuture<NodeId> newNodeId(MetaStore meta) {
    return meta.get(LAST_ID_KEY)
        .thenCompose(last -> {
          long next = last.map(Session::number).orElse(0L) + 1;
          Txn.Builder txn =
              Txn.builder().put(LAST_ID_KEY, Long.toString(next).getBytes(StandardCharsets.UTF_8));
          last.ifPresentOrElse(
              entry -> txn.ifModRevision(LAST_ID_KEY, entry.modRevision()),
              () -> txn.ifAbsent(LAST_ID_KEY));
          return meta.txn(txn.build())
              .thenCompose(result ->
                  result.succeeded()
                      ? CompletableFuture.completedFuture(new NodeId(next))
                      : newNodeId(meta));
        });
  }

  private static long number(KeyValue entry) {
    return Long.parseLong(new String(entry.value(), StandardCharsets.UTF_8));
  }

  /// Announces a process; `ttl` after it fell silent it counts as gone.
  public static CompletableFuture<Session> open(
      MetaStore meta, Threads threads, Loop loop, Member member, Duration ttl) {
    Executor executor = Waits.unlessClosed(loop);
    return KeptLease.grant(meta, threads, executor, ttl)
        .thenCompose(lease ->
            meta.txn(
                    Txn.builder()
                        .put(PREFIX + member.node(), WireJson.write(member), lease.id())
                        .build())
                .thenApply(_ -> new Session(member, lease))
                .whenComplete((_, failure) -> {
                  if (failure != null) {
                    lease.close();
                  }
                }));
  }

  public Member member() {
    return member;
  }

  /// Whether others certainly still see this process.
  public boolean isAlive() {
    return lease.isHeld();
  }

  /// Fails once others may act as if this process were gone; never completes otherwise.
  public CompletableFuture<Void> lost() {
    return lease.lost();
  }

  /// Leaves at once.
  @Override
  public void close() {
    lease.close();
  }

  static Optional<Member> memberOf(KeyValue entry) {
    try {
      return Optional.of(WireJson.read(entry.value(), Member.class));
    } catch (DbException e) {
      if (e.code() == ErrorCode.DATA_INTEGRITY) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
