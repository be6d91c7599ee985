package io.elanus.role.streaming;

import io.elanus.base.config.Settings;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.SystemThreads;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.EmbeddedWal;
import io.elanus.engine.log.EmbeddedWalOptions;
import io.elanus.engine.storage.meta.RocksMetaStore;
import io.elanus.engine.storage.object.LocalObjectStore;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.StreamingService.AppendRequest;
import io.elanus.wire.service.StreamingService.ChannelOpened;
import io.elanus.wire.service.StreamingService.OpenChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A StreamingNode on real threads over embedded engines in a folder.
final class RealNode implements AutoCloseable {
  static final CallContext CALL = CallContext.background("test");

  final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
  final SystemThreads threads = new SystemThreads("node", (_, fault) -> faults.add(fault));
  final FakeDataCoord coord = new FakeDataCoord();
  final FakeTso tso = new FakeTso(threads.clock());
  final ObjectStore objects;
  final StreamingNode node;
  private final RocksMetaStore meta;
  private final EmbeddedWal wal;

  RealNode(Path folder, Map<String, String> settings) {
    tso.idsFrom(threads.clock().wallMs() * 1000);
    meta = RocksMetaStore.open(folder.resolve("meta"), threads);
    wal =
        new EmbeddedWal(
            folder.resolve("wal"), threads, EmbeddedWalOptions.DEFAULT.withSegmentBytes(1 << 20));
    objects = new LocalObjectStore(folder.resolve("objects"));
    node =
        new StreamingNode(
            new StreamingDeps(
                new StreamingDeps.Engines(wal, meta, objects),
                new StreamingDeps.Coordinator(tso, coord),
                new StreamingDeps.Process(
                    threads,
                    new Rng(1),
                    (_, fault) -> faults.add(fault),
                    new SimpleMeterRegistry()),
                StreamingConfig.bind(Settings.of(settings))));
  }

  CompletableFuture<ChannelOpened> open(PChannel pchannel, long term) {
    return node.open(CALL, new OpenChannel(pchannel, term));
  }

  CompletableFuture<AppendReply> append(boolean atomic, WalMessage... messages) {
    return node.append(CALL, new AppendRequest(messages[0].vchannel(), List.of(messages), atomic));
  }

  @Override
  public void close() {
    node.close();
    wal.close();
    meta.close();
    objects.close();
    threads.close();
    if (!faults.isEmpty()) {
      throw new AssertionError("faults were reported", faults.peek());
    }
  }
}
