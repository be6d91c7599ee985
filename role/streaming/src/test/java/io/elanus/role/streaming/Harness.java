package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.PCHANNEL;

import io.elanus.base.config.Settings;
import io.elanus.base.error.FaultHandler;
import io.elanus.base.id.MessageId;
import io.elanus.base.random.Rng;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.testkit.FaultyWal;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendRequest;
import io.elanus.wire.service.StreamingService.AppendResult;
import io.elanus.wire.service.StreamingService.OpenChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A StreamingNode on pumped threads over engines that outlive it: `crash` leaves everything as it
/// is and starts another node with the next term.
final class Harness implements AutoCloseable {
  static final CallContext CALL = CallContext.background("test");

  final WalBackend wal;
  final FaultyWal log;
  final MetaStore meta;
  final FakeDataCoord coord;
  ObjectStore objects;
  FakeTso tso;
  TestThreads threads;
  StreamingNode node;
  long term;
  final List<Throwable> faults = new ArrayList<>();
  private final Map<String, String> settings = new TreeMap<>();
  private final @Nullable Rng rng;

  Harness() {
    this(new MemoryWal(), null);
  }

  Harness(WalBackend wal, @Nullable Rng rng) {
    this.rng = rng;
    this.wal = wal;
    this.log = new FaultyWal(wal);
    this.threads = threads();
    this.meta = new MemoryMetaStore(threads.clock(), threads.timers());
    this.objects = new MemoryObjectStore();
    this.coord = new FakeDataCoord();
    this.tso = new FakeTso(threads.clock());
    this.node = build();
  }

  private TestThreads threads() {
    return rng == null ? new TestThreads() : new TestThreads(rng.split("threads" + term));
  }

  Harness with(String key, String value) {
    settings.put(key, value);
    node = build();
    return this;
  }

  Harness withObjects(ObjectStore store) {
    objects = store;
    node = build();
    return this;
  }

  private StreamingNode build() {
    FaultHandler handler = (_, fault) -> faults.add(fault);
    return new StreamingNode(
        new StreamingDeps(
            new StreamingDeps.Engines(log, meta, objects),
            new StreamingDeps.Coordinator(tso, coord),
            new StreamingDeps.Process(threads, new Rng(7), handler, new SimpleMeterRegistry()),
            StreamingConfig.bind(Settings.of(settings))));
  }

  Harness open() {
    term++;
    threads.await(node.open(CALL, new OpenChannel(PCHANNEL, term)));
    return this;
  }

  /// The process is gone; another one opens the channel.
  void crash() {
    threads = threads();
    FakeTso before = tso;
    tso = new FakeTso(threads.clock());
    tso.idsAfter(before);
    while (!tso.now().isAfter(before.now())) {
      threads.clock().advance(java.time.Duration.ofMillis(1));
    }
    node = build();
    open();
  }

  CollectionMeta createCollection(long id) {
    CollectionMeta collection = Samples.collection(id);
    appendOne(Samples.create(collection));
    coord.add(collection);
    return collection;
  }

  CompletableFuture<AppendReply> append(boolean atomic, WalMessage... messages) {
    return node.append(CALL, new AppendRequest(messages[0].vchannel(), List.of(messages), atomic));
  }

  AppendResult appendOne(WalMessage message) {
    return threads.await(append(false, message)).results().getFirst();
  }

  List<AppendResult> appendTxn(WalMessage... messages) {
    return threads.await(append(true, messages)).results();
  }

  Reader read(long collection, MessageId from) {
    Reader reader = new Reader();
    node.subscribe(Samples.vchannel(collection), from, threads.loop("reader", 1 << 16), reader);
    return reader;
  }

  /// A reader that has seen everything up to now.
  Reader readAll(long collection) {
    Reader reader = read(collection, MessageId.NONE);
    HybridTs now = tso.now();
    node.demandTick(Samples.vchannel(collection), now);
    threads.pump();
    if (!reader.tick.isAtLeast(now)) {
      throw new AssertionError("reader is at " + reader.tick + ", wanted " + now);
    }
    return reader;
  }

  @Override
  public void close() {
    if (!faults.isEmpty()) {
      throw new AssertionError("faults were reported", faults.getFirst());
    }
  }
}
