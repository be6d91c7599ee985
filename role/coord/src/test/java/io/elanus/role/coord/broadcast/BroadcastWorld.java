package io.elanus.role.coord.broadcast;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.base.random.Rng;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.coord.FakeStreamingNodes;
import io.elanus.role.coord.broadcast.BroadcasterDeps.ClusterRole;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.role.coord.part.Leadership;
import io.elanus.role.coord.tso.ChannelTerms;
import io.elanus.role.coord.tso.Tso;
import io.elanus.testkit.FaultyMetaStore;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.service.CallContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What outlives a coordinator: the store and the WAL; and broadcasters over it, one after another.
///
/// Confined to the caller.
final class BroadcastWorld {
  static final VChannel CONTROL = PChannel.of("c", 0).controlChannel();
  static final CallContext CONTEXT = CallContext.background("test");

  final MemoryMetaStore memory = newStore();
  final FaultyMetaStore meta = new FaultyMetaStore(memory);
  final FakeStreamingNodes wal = new FakeStreamingNodes();
  CoordConfig.Broadcasts config = CoordConfig.DEFAULT.broadcasts();

  private static MemoryMetaStore newStore() {
    TestThreads leases = new TestThreads();
    return new MemoryMetaStore(leases.clock(), leases.timers());
  }

  /// A coordinator's life: nothing of it runs any more once its threads aren't pumped.
  final class Life {
    final TestThreads threads;
    final List<String> applied = new ArrayList<>();
    final List<Throwable> faults = new ArrayList<>();
    final Broadcaster broadcaster;
    CompletableFuture<Void> ready = CompletableFuture.completedFuture(null);
    ClusterRole role = ClusterRole.PRIMARY;
    String failing = "";

    Life() {
      this(new TestThreads());
    }

    Life(TestThreads own) {
      threads = own;
      FencedStore store = new FencedStore(meta);
      threads.await(store.takeTerm());
      Tso tso =
          new Tso(threads, store, new ChannelTerms(), Leadership.SOLE, new SimpleMeterRegistry());
      threads.await(tso.start());
      AckCallbacks callbacks = new AckCallbacks();
      callbacks.on(MessageType.DROP_INDEX, this::apply);
      broadcaster =
          new Broadcaster(
              new BroadcasterDeps(
                  threads,
                  new Rng(1),
                  (_, fault) -> faults.add(fault),
                  store,
                  new BroadcasterDeps.Outside(wal, tso, () -> ready),
                  () -> role),
              config,
              callbacks);
    }

    Life recovered() {
      threads.await(broadcaster.recover());
      return this;
    }

    private AckCallback.Effect apply(Acked acked) {
      String name = nameOf(acked.message());
      if (name.equals(failing)) {
        throw new IllegalStateException("told to fail");
      }
      return new AckCallback.Effect(
          Txn.builder().put("effect/" + name, new byte[] {1}),
          () -> {
            applied.add(name);
            return CompletableFuture.completedFuture(null);
          });
    }

    CompletableFuture<BroadcastHandle> lock(String collection) {
      return broadcaster.withResourceKeys(
          CONTEXT, List.of(ResourceKey.exclusiveCollection("d", collection)));
    }

    /// Broadcasts `name` under the key of `collection`.
    CompletableFuture<BroadcastResult> send(String collection, String name) {
      return send(collection, message(name, false));
    }

    CompletableFuture<BroadcastResult> send(String collection, BroadcastMessage message) {
      return lock(collection).thenCompose(handle -> handle.broadcast(message));
    }
  }

  static BroadcastMessage message(String name, boolean ackSyncUp) {
    long number = Long.parseLong(name);
    Message body = new Message.DropIndex(new CollectionId(number), List.of(new IndexId(1)));
    List<VChannel> targets =
        List.of(
            CONTROL,
            VChannel.of(PChannel.of("c", 0), new CollectionId(number), 0),
            VChannel.of(PChannel.of("c", 1), new CollectionId(number), 1));
    return new BroadcastMessage(body, targets, ackSyncUp, Map.of());
  }

  static String nameOf(Message message) {
    return ((Message.DropIndex) message).collectionId().toString();
  }

  List<String> keys(String prefix) {
    return memory.range(KeyRange.prefix(prefix)).join().entries().stream()
        .map(KeyValue::key)
        .toList();
  }

  List<TaskCodec.Stored> tasks() {
    return memory.range(KeyRange.prefix(TaskCodec.PREFIX)).join().entries().stream()
        .map(entry -> TaskCodec.decode(entry.key(), entry.value()))
        .toList();
  }
}
