package io.elanus.role.streaming;

import static io.elanus.role.streaming.Samples.PCHANNEL;
import static io.elanus.role.streaming.Samples.delete;
import static io.elanus.role.streaming.Samples.insert;
import static io.elanus.role.streaming.Samples.manualFlush;
import static io.elanus.role.streaming.Samples.vchannel;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.StreamingService.AppendReply;
import io.elanus.wire.service.WalTail;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RealThreadsTest {
  @TempDir Path folder;

  /// A reader that tells when it has seen a tick.
  private static final class Waiting implements WalTail.Listener {
    final Reader reader = new Reader();
    final CountDownLatch reached = new CountDownLatch(1);
    private final HybridTs wanted;

    Waiting(HybridTs wanted) {
      this.wanted = wanted;
    }

    @Override
    public void onBatch(WalTail.TailBatch batch) {
      reader.onBatch(batch);
      if (batch.tick().isAtLeast(wanted)) {
        reached.countDown();
      }
    }

    @Override
    public void onClosed(Throwable reason) {
      reader.onClosed(reason);
    }
  }

  private static List<Long> keysOf(RealNode node) throws Exception {
    Waiting all = new Waiting(node.tso.now());
    var subscription =
        node.node.subscribe(vchannel(1), MessageId.NONE, node.threads.loop("reader", 1000), all);
    node.node.demandTick(vchannel(1), all.wanted);
    assertThat(all.reached.await(60, TimeUnit.SECONDS)).isTrue();
    subscription.cancel();
    return all.reader.insertedKeys();
  }

  @Test
  void concurrentWritersLoseNothingAcrossARestart() throws Exception {
    int writers = 8;
    int each = 100;
    try (RealNode node = new RealNode(folder, Map.of())) {
      node.open(PCHANNEL, 1).get(30, TimeUnit.SECONDS);
      node.coord.add(Samples.collection(1));
      node.append(false, Samples.create(Samples.collection(1))).get(30, TimeUnit.SECONDS);
      List<CompletableFuture<AppendReply>> replies = new ArrayList<>();
      CountDownLatch done = new CountDownLatch(writers);
      for (int w = 0; w < writers; w++) {
        long base = 1000L * w;
        node.threads
            .blocking("writer")
            .execute(() -> {
              for (int i = 0; i < each; i++) {
                var reply =
                    i % 3 == 0
                        ? node.append(true, delete(1, base + i), insert(1, base + i, 1))
                        : node.append(false, insert(1, base + i, 1));
                synchronized (replies) {
                  replies.add(reply);
                }
                if (i % 7 == 0) {
                  reply.join();
                }
              }
              done.countDown();
            });
      }
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
      CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
      assertThat(keysOf(node)).hasSize(writers * each).doesNotHaveDuplicates();
    }
    try (RealNode node = new RealNode(folder, Map.of())) {
      node.coord.add(Samples.collection(1));
      node.open(PCHANNEL, 2).get(30, TimeUnit.SECONDS);
      assertThat(keysOf(node)).hasSize(writers * each).doesNotHaveDuplicates();

      SegmentId sealed =
          node.append(false, manualFlush(1))
              .get(30, TimeUnit.SECONDS)
              .results()
              .getFirst()
              .sealed()
              .getFirst();
      for (int i = 0; i < 3000 && !node.coord.isStored(sealed); i++) {
        keysOf(node);
      }
      assertThat(node.coord.isStored(sealed)).isTrue();
    }
  }

  @Test
  void sixteenChannelsOpenSideBySide() throws Exception {
    for (long term = 1; term <= 2; term++) {
      try (RealNode node = new RealNode(folder, Map.of())) {
        List<CompletableFuture<?>> opening = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          opening.add(node.open(PChannel.of("by-dev-rootcoord-dml", i), term));
        }
        CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
            .get(60, TimeUnit.SECONDS);
        assertThat(opening).allMatch(o -> !o.isCompletedExceptionally());
      }
    }
  }
}
