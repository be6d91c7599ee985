package io.elanus.role.coord.schema;

import static io.elanus.role.coord.CoordinatorWorld.DB;
import static io.elanus.role.coord.CoordinatorWorld.alias;
import static io.elanus.role.coord.CoordinatorWorld.drop;
import static io.elanus.role.coord.CoordinatorWorld.dropPartition;
import static io.elanus.role.coord.CoordinatorWorld.index;
import static io.elanus.role.coord.CoordinatorWorld.load;
import static io.elanus.role.coord.CoordinatorWorld.newCollection;
import static io.elanus.role.coord.CoordinatorWorld.partition;
import static io.elanus.role.coord.CoordinatorWorld.release;
import static io.elanus.role.coord.CoordinatorWorld.rename;
import static io.elanus.role.coord.CoordinatorWorld.schema;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.DbException;
import io.elanus.base.random.Rng;
import io.elanus.role.coord.CoordinatorWorld;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.testkit.TestThreads;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.DdlRequest.AlterAlias;
import io.elanus.wire.service.DdlRequest.DropAlias;
import io.elanus.wire.service.DdlRequest.DropIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// DDL of every kind from many clients at once, over few names, in random interleavings, with lost
/// appends and crashes; each run from one seed. At the end the catalog in memory is what the store
/// holds, and is consistent in itself.
class CatalogSimulationTest {
  private static final int SEEDS = 40;

  @Test
  void everySeedLeavesAConsistentCatalog() {
    for (int seed = 0; seed < SEEDS; seed++) {
      new Run(seed).play();
    }
  }

  private static final class Run {
    private final int seed;
    private final Rng rng;
    private final CoordinatorWorld world = new CoordinatorWorld();
    private final List<CompletableFuture<DdlReply>> sent = new ArrayList<>();
    private CoordinatorWorld.Life life;

    Run(int seed) {
      this.seed = seed;
      this.rng = new Rng(seed);
      this.life = newLife();
    }

    private CoordinatorWorld.Life newLife() {
      return world.new Life(new TestThreads(new Rng(rng.nextLong()))).started();
    }

    void play() {
      Rng faults = rng.split("faults");
      world.wal.failBefore(_ -> faults.nextInt(20) == 0);
      world.wal.failAfter(_ -> faults.nextInt(20) == 0);
      for (int i = 0; i < 150; i++) {
        sent.add(life.send(anyRequest()));
        for (int steps = rng.nextInt(40); steps > 0; steps--) {
          life.threads.step();
        }
        if (rng.nextInt(40) == 0) {
          sent.clear(); // Nobody hears of what a crash cut off.
          life = newLife();
        }
      }
      world.wal.failBefore(_ -> false);
      world.wal.failAfter(_ -> false);
      life.threads.advance(Duration.ofMinutes(1));
      check();
    }

    private String name() {
      return "n" + rng.nextInt(4);
    }

    private String part() {
      return "p" + rng.nextInt(2);
    }

    private DdlRequest anyRequest() {
      return switch (rng.nextInt(14)) {
        case 0, 1, 2 -> newCollection(schema(name()), 1 + rng.nextInt(2));
        case 3 -> drop(name());
        case 4 -> rename(name(), name());
        case 5 -> alias(name(), name());
        case 6 -> new AlterAlias(DB, name(), name());
        case 7 -> new DropAlias(DB, name());
        case 8 -> partition(name(), part());
        case 9 -> dropPartition(name(), part());
        case 10 -> index(name(), "vec", "");
        case 11 -> new DropIndex(DB, name(), "");
        case 12 -> rng.nextInt(2) == 0 ? load(name()) : load(name(), part());
        default -> rng.nextInt(2) == 0 ? release(name()) : release(name(), part());
      };
    }

    private void check() {
      for (CompletableFuture<DdlReply> future : sent) {
        assertThat(future).as("answered, seed %d", seed).isDone();
        future.handle((_, failure) -> {
          if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            assertThat(cause).isInstanceOf(DbException.class);
          }
          return 0;
        });
      }
      assertThat(life.faults).isEmpty();
      CatalogView image = life.coordinator.catalogView();
      checkNames(image);
      checkStored(image);
    }

    private void checkNames(CatalogView image) {
      TreeSet<String> names = new TreeSet<>();
      for (CollectionMeta meta : image.collections()) {
        assertThat(names.add(meta.name())).as("unique names, seed %d", seed).isTrue();
        assertThat(life.collection(meta.name()).id()).isEqualTo(meta.id());
        assertThat(image.starts(meta.id())).hasSize(meta.shards());
        LoadMeta load = image.load(meta.id());
        if (load != null) {
          assertThat(meta.partitions())
              .extracting(partition -> partition.id())
              .as("loaded partitions exist, seed %d", seed)
              .containsAll(load.partitions());
        }
      }
      for (int i = 0; i < 4; i++) {
        CollectionMeta found = life.find(DB, "n" + i);
        if (found != null && !found.name().equals("n" + i)) {
          assertThat(names).as("alias beside a name, seed %d", seed).doesNotContain("n" + i);
          assertThat(life.view(found.name()).aliases()).contains("n" + i);
        }
      }
    }

    private void checkStored(CatalogView image) {
      Catalog stored = new Catalog();
      stored.load(new FencedStore(world.memory)).join();
      assertThat(image.collections()).isEqualTo(stored.collections());
      assertThat(image.loads()).isEqualTo(stored.loads());
      long capacity = 0;
      for (CollectionMeta meta : stored.collections()) {
        assertThat(image.indexes(meta.id())).isEqualTo(stored.indexes(meta.id()));
        assertThat(life.view(meta.name()).aliases()).isEqualTo(stored.aliasesOf(meta.id()));
        capacity += (long) meta.shards() * meta.partitions().size();
      }
      Catalog live = (Catalog) image;
      assertThat(live.capacity()).isEqualTo(stored.capacity()).isEqualTo(capacity);
      assertThat(live.countOf(live.requireDatabase(DB))).isEqualTo(stored.count());
      assertThat(live.count()).isEqualTo(stored.count()).isEqualTo(stored.collections().size());
    }
  }
}
