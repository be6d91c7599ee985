package io.elanus.role.coord;

import static io.elanus.role.coord.CoordinatorWorld.CONTEXT;
import static io.elanus.role.coord.CoordinatorWorld.DB;
import static io.elanus.role.coord.CoordinatorWorld.alias;
import static io.elanus.role.coord.CoordinatorWorld.index;
import static io.elanus.role.coord.CoordinatorWorld.load;
import static io.elanus.role.coord.CoordinatorWorld.newCollection;
import static io.elanus.role.coord.CoordinatorWorld.partition;
import static io.elanus.role.coord.CoordinatorWorld.rename;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.base.time.Deadline;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.ListDatabases;
import io.elanus.wire.service.DdlRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoordinatorTest {
  private final CoordinatorWorld world = new CoordinatorWorld();

  @Test
  void restartFindsTheWholeCatalog() {
    CoordinatorWorld.Life first = world.start();
    first.ddl(new DdlRequest.CreateDatabase("other", Map.of("k", "v")));
    first.ddl(newCollection("c"));
    first.ddl(partition("c", "p"));
    first.ddl(alias("c", "al"));
    first.ddl(index("c", "vec", ""));
    first.ddl(load("c"));
    first.ddl(rename("c", "d"));
    CollectionMeta before = first.collection("d");
    var view = first.coordinator.catalogView();

    CoordinatorWorld.Life second = world.start();

    var again = second.coordinator.catalogView();
    assertThat(second.collection("d")).isEqualTo(before);
    assertThat(second.collection("al")).isEqualTo(before);
    assertThat(again.indexes(before.id())).isEqualTo(view.indexes(before.id()));
    assertThat(again.load(before.id())).isEqualTo(view.load(before.id()));
    assertThat(again.starts(before.id())).isEqualTo(view.starts(before.id())).hasSize(1);
    assertThat(
            second
                .threads
                .await(second.coordinator.catalog().databases(CONTEXT, new ListDatabases()))
                .databases())
        .extracting(db -> db.name())
        .containsExactly("default", "other");
    second.ddl(newCollection("c"));
    assertThat(second.collection("c").createdTs().isAfter(before.updateTs())).isTrue();
    assertThat(second.collection("c").id().value()).isGreaterThan(before.id().value());
  }

  @Test
  void everyChannelIsOpenedUnderAGrowingTerm() {
    world.start();
    assertThat(world.wal.terms()).hasSize(16).allSatisfy((_, term) -> assertThat(term).isOne());

    CoordinatorWorld.Life second = world.start();
    second.threads.pump();

    assertThat(world.wal.terms())
        .hasSize(16)
        .allSatisfy((_, term) -> assertThat(term).isEqualTo(2));
    assertThat(second.coordinator.channelOwner(PChannel.of("by-dev-rootcoord-dml", 3)))
        .isEqualTo(new NodeId(1));
  }

  @Test
  void ddlWaitsForTheChannelsButNotBeyondItsDeadline() {
    world.wal.setOpens(false);
    CoordinatorWorld.Life life = world.start();
    Deadline soon = Deadline.after(life.threads.clock(), Duration.ofMillis(300));
    var impatient =
        life.coordinator.catalog().ddl(new CallContext(soon, "impatient"), newCollection("a"));
    var patient = life.send(newCollection("b"));

    life.threads.advance(Duration.ofSeconds(1));
    assertThatThrownBy(impatient::join)
        .cause()
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    assertThat(patient).isNotDone();

    world.wal.setOpens(true);
    life.threads.await(patient, Duration.ofSeconds(20));
    assertThat(life.find(DB, "b")).isNotNull();
    assertThat(life.find(DB, "a")).isNull();
  }

  @Test
  void channelsOfALostNodeMoveUnderAHigherTerm() {
    world.wal.setNodes(List.of(new NodeId(1), new NodeId(2)));
    CoordinatorWorld.Life life = world.start();
    life.threads.pump();
    List<NodeId> owners =
        life.coordinator.pchannels().stream().map(life.coordinator::channelOwner).toList();
    assertThat(owners).filteredOn(owner -> new NodeId(1).equals(owner)).hasSize(8);

    world.wal.setNodes(List.of(new NodeId(2)));
    life.threads.advance(Duration.ofSeconds(3));

    assertThat(life.coordinator.pchannels())
        .allSatisfy(p -> assertThat(life.coordinator.channelOwner(p)).isEqualTo(new NodeId(2)));
    assertThat(world.wal.terms().values()).containsOnly(1L, 2L);
    life.ddl(newCollection("c"));
  }

  @Test
  void silentProxyDelaysADdlByABoundOnly() {
    CoordinatorWorld.Life life = world.start();
    life.proxies.silent = true;
    var sent = life.send(newCollection("c"));

    life.threads.advance(Duration.ofSeconds(2));
    assertThat(sent).isNotDone();
    life.threads.advance(Duration.ofSeconds(2));

    assertThat(sent).isCompleted();
    assertThat(life.proxies.invalidated).isNotEmpty();
  }

  @Test
  void servicesRefuseBeforeTheStartAndAfterTheEnd() {
    CoordinatorWorld.Life life = world.new Life();
    assertThatThrownBy(() -> life.ddl(newCollection("c")))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_NOT_READY));
    life.started();
    life.ddl(newCollection("c"));

    life.coordinator.close();
    life.coordinator.close();

    assertThatThrownBy(() -> life.ddl(newCollection("d"))).isInstanceOf(DbException.class);
  }

  @Test
  void crashAtAnyStepOfADdlLeavesTheCatalogAllOrNothing() {
    boolean finished = false;
    int seen = 0;
    for (int steps = 0; !finished; steps += 1) {
      CoordinatorWorld fresh = new CoordinatorWorld();
      CoordinatorWorld.Life first = fresh.start();
      first.threads.pump();
      var sent = first.send(newCollection(CoordinatorWorld.schema("c"), 2));
      for (int i = 0; i < steps; i++) {
        finished = !first.threads.step();
      }

      CoordinatorWorld.Life second = fresh.start();
      second.threads.pump();

      CollectionMeta found = second.find(DB, "c");
      int copies = fresh.wal.log().size();
      if (found == null) {
        assertThat(sent).isNotDone();
        assertThat(copies).isZero();
      } else {
        seen++;
        assertThat(copies).isEqualTo(3);
        assertThat(second.coordinator.catalogView().starts(found.id())).hasSize(2);
      }
      second.ddl(newCollection(CoordinatorWorld.schema("c"), 2));
      assertThat(second.coordinator.catalogView().collections()).hasSize(1);
    }
    assertThat(seen).isPositive();
  }

  @Test
  void aliasThatMovesBetweenLookUpAndLockIsFollowed() {
    CoordinatorWorld.Life life = world.start();
    life.ddl(newCollection("c"));
    life.ddl(newCollection("d"));
    life.ddl(alias("c", "al"));

    var moved = life.send(new DdlRequest.AlterAlias(DB, "d", "al"));
    var made = life.send(partition("al", "p"));
    life.threads.pump();

    assertThat(moved).isCompleted();
    assertThat(made).isCompleted();
    assertThat(life.collection("d").partition("p")).isNotNull();
    assertThat(life.collection("c").partition("p")).isNull();
  }
}
