package io.elanus.role.coord.broadcast;

import static io.elanus.role.coord.broadcast.BroadcastWorld.CONTROL;
import static io.elanus.role.coord.broadcast.BroadcastWorld.message;
import static io.elanus.role.coord.broadcast.BroadcastWorld.nameOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.message.WalMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Broadcasts of random keys over random interleavings, lost appends, lost store answers and
/// crashes, each run from one seed. At the end: what was answered happened, once; what is in the
/// WAL is there on every target and in the catalog; conflicting changes came in control-channel
/// order; no key is stuck.
class BroadcastSimulationTest {
  private static final int SEEDS = 60;
  private static final int COLLECTIONS = 4;

  @Test
  void everySeedKeepsTheInvariants() {
    for (int seed = 0; seed < SEEDS; seed++) {
      new Run(seed).play();
    }
  }

  private static final class Run {
    private final int seed;
    private final Rng rng;
    private final BroadcastWorld world = new BroadcastWorld();
    private final Map<String, String> collectionOf = new TreeMap<>();
    private final Map<String, CompletableFuture<BroadcastResult>> sent = new TreeMap<>();
    private final List<String> applied = new ArrayList<>();
    private BroadcastWorld.Life life;
    private int lastName = 100;

    Run(int seed) {
      this.seed = seed;
      this.rng = new Rng(seed);
      this.life = newLife();
    }

    private BroadcastWorld.Life newLife() {
      BroadcastWorld.Life next =
          world.new Life(new TestThreads(new Rng(rng.nextLong()))).recovered();
      return next;
    }

    void play() {
      Rng faults = rng.split("faults");
      world.wal.failBefore(_ -> faults.nextInt(5) == 0);
      world.wal.failAfter(_ -> faults.nextInt(5) == 0);
      for (int i = 0; i < 120; i++) {
        act();
      }
      world.wal.failBefore(_ -> false);
      world.wal.failAfter(_ -> false);
      world.meta.failNext(0, DbException.of(ErrorCode.IO_FAILED));
      life.threads.advance(Duration.ofMinutes(1));
      applied.addAll(life.applied);
      check();
    }

    private void act() {
      switch (rng.nextInt(12)) {
        case 0, 1, 2 -> send();
        case 3 -> world.meta.failNext(1, DbException.of(ErrorCode.TOO_MANY_REQUESTS));
        case 4 -> world.meta.failNextAfterApply(1, DbException.of(ErrorCode.IO_FAILED));
        case 5 -> life.threads.advance(Duration.ofMillis(rng.nextInt(200)));
        case 6 -> {
          if (rng.nextInt(4) == 0) {
            crash();
          }
        }
        default -> {
          for (int i = rng.nextInt(30); i > 0; i--) {
            life.threads.step();
          }
        }
      }
    }

    private void send() {
      String name = Integer.toString(++lastName);
      String collection = "c" + rng.nextInt(COLLECTIONS);
      collectionOf.put(name, collection);
      sent.put(name, life.send(collection, message(name, false)));
    }

    private void crash() {
      world.meta.failNext(0, DbException.of(ErrorCode.IO_FAILED));
      applied.addAll(life.applied);
      life = newLife();
    }

    private void check() {
      Map<String, Integer> copies = new TreeMap<>();
      for (WalMessage copy : world.wal.log()) {
        copies.merge(nameOf(copy.body()), 1, Integer::sum);
      }
      assertThat(copies.values()).as("copies, seed %d", seed).allMatch(count -> count == 3);
      List<String> effects =
          copies.keySet().stream().map(name -> "effect/" + name).sorted().toList();
      assertThat(world.keys("effect/")).as("effects, seed %d", seed).isEqualTo(effects);
      sent.forEach((name, future) -> {
        if (future.isDone() && !future.isCompletedExceptionally()) {
          assertThat(copies).as("answered, seed %d", seed).containsKey(name);
        } else if (future.isCompletedExceptionally()) {
          assertThat(copies).as("refused, seed %d", seed).doesNotContainKey(name);
        }
      });
      checkOrder();
      for (int i = 0; i < COLLECTIONS; i++) {
        life.threads.await(life.lock("c" + i)).close();
      }
      assertThat(life.faults).isEmpty();
    }

    private void checkOrder() {
      List<String> onControl =
          world.wal.on(CONTROL).stream().map(copy -> nameOf(copy.body())).toList();
      for (String collection : new TreeSet<>(collectionOf.values())) {
        List<String> wanted =
            onControl.stream().filter(name -> collection.equals(collectionOf.get(name))).toList();
        // A callback may run in two lives: once more after a crash that came before its answer.
        List<String> seen = new ArrayList<>();
        for (String name : applied) {
          if (collection.equals(collectionOf.get(name)) && !seen.contains(name)) {
            seen.add(name);
          }
        }
        List<String> inOrder = wanted.stream().filter(seen::contains).toList();
        assertThat(seen).as("order on %s, seed %d", collection, seed).isEqualTo(inOrder);
      }
    }
  }
}
