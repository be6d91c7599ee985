package io.elanus.role.coord.schema;

import static io.elanus.role.coord.CoordinatorWorld.DB;
import static io.elanus.role.coord.CoordinatorWorld.alias;
import static io.elanus.role.coord.CoordinatorWorld.drop;
import static io.elanus.role.coord.CoordinatorWorld.index;
import static io.elanus.role.coord.CoordinatorWorld.newCollection;
import static io.elanus.role.coord.CoordinatorWorld.rename;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.Deadline;
import io.elanus.role.coord.CoordinatorWorld;
import io.elanus.role.coord.CoordinatorWorld.Life;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A DDL under a client's idempotency key runs once, whatever has become of its names (rule B-41).
final class IdempotentDdlTest {
  private final CoordinatorWorld world = new CoordinatorWorld();

  private static CompletableFuture<DdlReply> send(Life life, String key, DdlRequest request) {
    return life.coordinator.catalog().ddl(new CallContext(Deadline.NONE, "test", key), request);
  }

  private static DdlReply ddl(Life life, String key, DdlRequest request) {
    return life.threads.await(send(life, key, request), Duration.ofSeconds(10));
  }

  @Test
  void aRetriedRenameIsAnsweredAsTheFirstOverARestartToo() {
    Life life = world.start();
    life.ddl(newCollection("a"));
    DdlReply first = ddl(life, "k", rename("a", "b"));

    assertThat(ddl(life, "k", rename("a", "b"))).isEqualTo(first);
    assertThat(life.refused(rename("a", "b"))).hasMessageContaining("duplicated new collection");

    Life next = world.start();
    assertThat(ddl(next, "k", rename("a", "b"))).isEqualTo(first);
    assertThat(next.find(DB, "b")).isNotNull();
  }

  @Test
  void aRetriedDropDoesNotTouchWhatWasMadeSince() {
    Life life = world.start();
    life.ddl(newCollection("a"));
    DdlReply first = ddl(life, "k", drop("a"));
    life.ddl(newCollection("a"));

    assertThat(ddl(life, "k", drop("a"))).isEqualTo(first);
    assertThat(life.find(DB, "a")).isNotNull();
  }

  @Test
  void aRetriedCreationDoesNotBringBackWhatWasDroppedSince() {
    Life life = world.start();
    DdlReply first = ddl(life, "k", newCollection("a"));
    life.ddl(drop("a"));

    assertThat(ddl(life, "k", newCollection("a"))).isEqualTo(first);
    assertThat(life.find(DB, "a")).isNull();
  }

  @Test
  void anotherRequestUnderAKnownKeyIsRefused() {
    Life life = world.start();
    ddl(life, "k", newCollection("a"));

    assertThatThrownBy(() -> ddl(life, "k", newCollection("b")))
        .hasMessageContaining("used for another request")
        .extracting("code")
        .isEqualTo(ErrorCode.PARAMETER_INVALID);
    // Its locks are free, and another kind of request under the key is its own.
    life.ddl(newCollection("b"));
    ddl(life, "k", drop("b"));
    assertThat(life.find(DB, "b")).isNull();
  }

  @Test
  void requestsAtTheSameTimeRunOnce() {
    Life life = world.start();
    CompletableFuture<DdlReply> one = send(life, "k", newCollection("a"));
    CompletableFuture<DdlReply> other = send(life, "k", newCollection("a"));

    DdlReply answer = life.threads.await(one, Duration.ofSeconds(10));
    assertThat(life.threads.await(other, Duration.ofSeconds(10))).isEqualTo(answer);
  }

  @Test
  void aRequestThatChangedNothingIsNotRemembered() {
    Life life = world.start();
    ddl(life, "k", drop("a"));
    life.ddl(newCollection("a"));
    ddl(life, "k", drop("a"));

    assertThat(life.find(DB, "a")).isNull();
  }

  @Test
  void keysOfIndexesAreTheCollectionsOwn() {
    Life life = world.start();
    life.ddl(newCollection("a"));
    life.ddl(newCollection("b"));
    life.ddl(alias("b", "other"));
    ddl(life, "k", index("a", "vec", ""));
    DdlReply ofB = ddl(life, "k", index("b", "vec", ""));

    assertThat(life.coordinator.catalogView().indexes(life.collection("b").id())).hasSize(1);
    assertThat(ddl(life, "k", index("b", "vec", ""))).isEqualTo(ofB);
  }

  @Test
  void databasesAreTheClusters() {
    Life life = world.start();
    DdlRequest create = new DdlRequest.CreateDatabase("d", Map.of("a", "1", "b", "2"));
    DdlReply first = ddl(life, "k", create);

    assertThat(ddl(life, "k", create)).isEqualTo(first);
    assertThat(life.refused(create).getMessage()).contains("already exist");
  }
}
