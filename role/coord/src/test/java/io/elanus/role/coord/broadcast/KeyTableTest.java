package io.elanus.role.coord.broadcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.random.Rng;
import io.elanus.wire.message.ResourceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KeyTableTest {
  private static final ResourceKey SHARED = ResourceKey.sharedDatabase("d");
  private static final ResourceKey EXCLUSIVE = ResourceKey.exclusiveDatabase("d");

  private final KeyTable table = new KeyTable();
  private final List<String> granted = new ArrayList<>();

  private KeyTable.Request acquire(String owner, ResourceKey... keys) {
    return table.acquire(ResourceKeys.normalized(List.of(keys)), owner, () -> granted.add(owner));
  }

  @Test
  void keysAreSortedDeduplicatedAndJoinedByASharedClusterKey() {
    ResourceKey collection = ResourceKey.exclusiveCollection("d", "c");

    List<ResourceKey> keys =
        ResourceKeys.normalized(List.of(SHARED, collection, EXCLUSIVE, collection));

    assertThat(keys).containsExactly(collection, EXCLUSIVE, ResourceKey.sharedCluster());
  }

  @Test
  void callersClusterKeyReplacesTheSharedOne() {
    assertThat(ResourceKeys.normalized(List.of(ResourceKey.exclusiveCluster())))
        .containsExactly(ResourceKey.exclusiveCluster());
  }

  @Test
  void sharedKeysAreHeldTogether() {
    acquire("a", SHARED);
    acquire("b", SHARED);

    assertThat(granted).containsExactly("a", "b");
  }

  @Test
  void exclusiveWaitsForEveryHolderAndHoldsOffLaterShared() {
    KeyTable.Request a = acquire("a", SHARED);
    KeyTable.Request b = acquire("b", SHARED);
    KeyTable.Request c = acquire("c", EXCLUSIVE);
    acquire("d", SHARED);
    assertThat(granted).containsExactly("a", "b");

    a.release();
    assertThat(granted).containsExactly("a", "b");
    b.release();
    assertThat(granted).containsExactly("a", "b", "c");

    c.release();
    assertThat(granted).containsExactly("a", "b", "c", "d");
  }

  @Test
  void waiterThatLeavesLetsThoseBehindItPass() {
    acquire("a", SHARED);
    KeyTable.Request b = acquire("b", EXCLUSIVE);
    acquire("c", SHARED);

    b.release();

    assertThat(granted).containsExactly("a", "c");
  }

  @Test
  void waiterThatLeavesFreesWhatItHeldAlready() {
    ResourceKey collection = ResourceKey.exclusiveCollection("d", "c");
    acquire("a", EXCLUSIVE);
    KeyTable.Request b = acquire("b", collection, SHARED);
    acquire("c", collection);
    assertThat(granted).containsExactly("a");

    b.release();

    assertThat(granted).containsExactly("a", "c");
  }

  @Test
  void tryAcquireTakesAllOrNothing() {
    ResourceKey collection = ResourceKey.exclusiveCollection("d", "c");
    KeyTable.Request held = table.tryAcquire(List.of(SHARED), "a");
    assertThat(held).isNotNull();

    assertThat(table.tryAcquire(List.of(collection, EXCLUSIVE), "b")).isNull();

    assertThat(table.tryAcquire(List.of(collection), "c")).isNotNull();
  }

  @Test
  void releasingTwiceFreesOnce() {
    KeyTable.Request a = acquire("a", EXCLUSIVE);
    a.release();
    acquire("b", EXCLUSIVE);

    a.release();
    acquire("c", EXCLUSIVE);

    assertThat(granted).containsExactly("a", "b");
  }

  @Test
  void tableIsEmptyWhenEverybodyLeft() {
    KeyTable.Request a = acquire("a", EXCLUSIVE, ResourceKey.exclusiveCollection("d", "c"));
    KeyTable.Request b = acquire("b", EXCLUSIVE);

    a.release();
    b.release();

    assertThat(table.size()).isZero();
  }

  @Test
  void randomHoldersNeverConflictAndAllAreServed() {
    for (int seed = 0; seed < 200; seed++) {
      runRandom(new Rng(seed));
    }
  }

  private static void runRandom(Rng rng) {
    KeyTable table = new KeyTable();
    Map<Integer, KeyTable.Request> requests = new TreeMap<>();
    List<Integer> holding = new ArrayList<>();
    int served = 0;
    for (int i = 0; i < 60; i++) {
      int id = i;
      List<ResourceKey> keys = new ArrayList<>();
      for (int k = rng.nextInt(3); k >= 0; k--) {
        keys.add(
            new ResourceKey(ResourceKey.Domain.DB_NAME, "k" + rng.nextInt(3), rng.nextInt(2) == 0));
      }
      requests.put(
          id, table.acquire(ResourceKeys.normalized(keys), "r" + id, () -> holding.add(id)));
      if (rng.nextInt(3) == 0 && !holding.isEmpty()) {
        release(requests, holding, rng);
        served++;
      }
      checkNoConflict(requests, holding);
    }
    while (!holding.isEmpty()) {
      release(requests, holding, rng);
      served++;
      checkNoConflict(requests, holding);
    }
    assertThat(served).isEqualTo(60);
    assertThat(table.size()).isZero();
  }

  private static void release(
      Map<Integer, KeyTable.Request> requests, List<Integer> holding, Rng rng) {
    Integer id = holding.get(rng.nextInt(holding.size()));
    holding.remove(/* element */ id);
    requireNonNull(requests.remove(id)).release();
  }

  private static void checkNoConflict(
      Map<Integer, KeyTable.Request> requests, List<Integer> holding) {
    for (int a : holding) {
      for (int b : holding) {
        KeyTable.Request left = requests.get(a);
        KeyTable.Request right = requests.get(b);
        if (a != b && left != null && right != null) {
          assertThat(ResourceKeys.conflict(left.keys(), right.keys())).isFalse();
        }
      }
    }
  }
}
