package io.elanus.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.server.cluster.Session.Member;
import io.elanus.testkit.FaultyMetaStore;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.ProxyCacheService.InvalidateCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Who is alive and who leads, by the metadata store.
final class ClusterTest {
  private static final Duration TTL = Duration.ofSeconds(2);

  private final TestThreads threads = new TestThreads();
  private final FaultyMetaStore meta =
      new FaultyMetaStore(new MemoryMetaStore(threads.clock(), threads.timers()));
  private final Loop loop = threads.loop("cluster", 1_000);
  private final List<Member> forgotten = new ArrayList<>();
  private final Connector connector = new RecordingConnector();

  private final class RecordingConnector implements Connector {
    @Override
    public <S> S connect(Member member, Class<S> service) {
      ProxyCacheService client =
          (_, _) -> CompletableFuture.failedFuture(new IllegalStateException(member.address()));
      return service.cast(client);
    }

    @Override
    public void forget(Member member) {
      forgotten.add(member);
    }
  }

  private Election candidate(long node) {
    return new Election(meta, threads, threads.loop("election", 1_000), new NodeId(node), TTL);
  }

  private Session announce(long node, Role... roles) {
    Member member = new Member(new NodeId(node), List.of(roles), "host:" + node);
    return threads.await(Session.open(meta, threads, loop, member, TTL));
  }

  @Test
  void everyProcessGetsAnIdOfItsOwn() {
    CompletableFuture<NodeId> one = Session.newNodeId(meta);
    CompletableFuture<NodeId> other = Session.newNodeId(meta);

    assertThat(List.of(threads.await(one), threads.await(other)))
        .containsExactlyInAnyOrder(new NodeId(1), new NodeId(2));
  }

  @Test
  void oneOfTwoCandidatesLeadsUntilItStepsDown() {
    Election first = candidate(1);
    Election second = candidate(2);
    threads.await(first.campaign());
    CompletableFuture<Void> waiting = second.campaign();
    threads.advance(TTL.multipliedBy(5));

    assertThat(first.isHeld()).isTrue();
    assertThat(waiting).isNotDone();
    assertThat(second.isHeld()).isFalse();

    first.close();
    threads.advance(Duration.ofSeconds(1));
    assertThat(waiting).isCompleted();
    assertThat(second.isHeld()).isTrue();
  }

  @Test
  void aLeaderThatCannotRenewItsLeaseStopsBeforeAnotherCanStart() {
    Election first = candidate(1);
    threads.await(first.campaign());
    // No keepalive gets through, as for a process that is cut off.
    threads.await(meta.revokeLease(leaseOfLeader()));
    Election second = candidate(2);
    CompletableFuture<Void> elected = second.campaign();
    threads.advance(TTL);

    assertThat(first.isHeld()).isFalse();
    assertThat(first.lost()).isCompletedExceptionally();
    assertThat(elected).isCompleted();
  }

  private io.elanus.engine.storage.meta.LeaseId leaseOfLeader() {
    return threads.await(meta.get(Election.LEADER_KEY)).orElseThrow().lease();
  }

  @Test
  void anUnknownOutcomeOfTheElectionLeavesNoLeaderBehind() {
    meta.failNextAfterApply(1, DbException.described(ErrorCode.IO_FAILED, "answer lost"));
    Election candidate = candidate(1);
    CompletableFuture<Void> elected = candidate.campaign();
    threads.advance(TTL.multipliedBy(2));

    assertThat(elected).isCompleted();
    assertThat(candidate.isHeld()).isTrue();
  }

  @Test
  void membersComeAndGoWithTheirSessions() {
    Members members = new Members(meta, threads, loop, connector);
    threads.await(members.start());
    Session proxy = announce(7, Role.PROXY);
    announce(8, Role.QUERY_NODE, Role.DATA_NODE);
    threads.pump();
    NodeLinks<ProxyCacheService> proxies = members.links(Role.PROXY, ProxyCacheService.class);

    assertThat(proxies.nodes()).containsExactly(new NodeId(7));
    assertThat(members.with(Role.DATA_NODE))
        .extracting(Member::node)
        .containsExactly(new NodeId(8));
    assertThat(proxies.node(new NodeId(7))).isSameAs(proxies.node(new NodeId(7)));
    assertThatThrownBy(() -> proxies.node(new NodeId(8)))
        .extracting("code")
        .isEqualTo(ErrorCode.NODE_NOT_FOUND);

    proxy.close();
    threads.pump();
    assertThat(proxies.nodes()).isEmpty();
    assertThat(forgotten).containsExactly(proxy.member());
    assertThat(proxy.isAlive()).isFalse();
  }

  @Test
  void aSessionThatIsNotKeptAliveIsLost() {
    Session session = announce(7, Role.PROXY);
    threads.advance(TTL.multipliedBy(10));
    assertThat(session.isAlive()).isTrue();

    threads.await(
        meta.revokeLease(threads.await(meta.get(Session.PREFIX + 7)).orElseThrow().lease()));
    threads.advance(TTL);

    assertThat(session.isAlive()).isFalse();
    assertThat(session.lost()).isCompletedExceptionally();
  }

  @Test
  void whatIsNotAliveRefusesCalls() {
    boolean[] alive = {true};
    ProxyCacheService target = (_, _) -> CompletableFuture.completedFuture(Done.INSTANCE);
    ProxyCacheService guarded = AliveOnly.guard(ProxyCacheService.class, target, () -> alive[0]);
    CallContext context = CallContext.background("test");
    InvalidateCache request =
        new InvalidateCache("default", List.of(), new io.elanus.base.id.CollectionId(1));

    assertThat(guarded.invalidate(context, request)).isCompletedWithValue(Done.INSTANCE);
    alive[0] = false;
    assertThat(guarded.invalidate(context, request)).isCompletedExceptionally();
  }

  @Test
  void aFollowerSeesWhatTheStoreHoldsWhateverHappensMeanwhile() {
    TreeMap<String, String> seen = new TreeMap<>();
    threads.await(meta.txn(Txn.put("p/old", new byte[] {1})));
    PrefixFollower follower =
        new PrefixFollower(
            meta,
            threads,
            loop,
            "p/",
            entries -> {
              seen.clear();
              entries.forEach((key, entry) -> seen.put(key, entry.value()[0] + ""));
            });
    CompletableFuture<Void> ready = follower.start();
    meta.txn(Txn.put("p/new", new byte[] {2}));
    threads.await(ready);
    threads.await(meta.txn(Txn.put("p/old", new byte[] {3})));
    threads.await(meta.txn(Txn.put("q/other", new byte[] {9})));
    threads.await(meta.txn(Txn.delete("p/new")));
    threads.pump();

    assertThat(seen).containsExactly(java.util.Map.entry("p/old", "3"));
    follower.close();
    threads.await(meta.txn(Txn.put("p/late", new byte[] {4})));
    threads.pump();
    assertThat(seen).doesNotContainKey("p/late");
  }
}
