package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.LeaseId;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.engine.storage.meta.TxnResult;
import io.elanus.engine.storage.meta.Watch;
import io.elanus.engine.storage.meta.WatchEvent;
import io.elanus.engine.storage.meta.WatchListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [MetaStore] has to do. Extend it, answer [#open]; engines with threads of their own
/// override [#await] and [#passTime].
public abstract class MetaStoreContract {
  protected final TestThreads threads = new TestThreads();

  /// The store under test.
  protected MetaStore store;

  /// Opens the store; called again after a close, with the same data when [#isPersistent].
  protected abstract MetaStore open();

  /// Whether entries outlive a close.
  protected abstract boolean isPersistent();

  protected <T> T await(CompletableFuture<T> future) {
    return threads.await(future);
  }

  /// Lets `time` pass for the store's leases, and what is due happen.
  protected void passTime(Duration time) {
    threads.advance(time);
  }

  /// Lets watches deliver what they have.
  protected void settle() {
    threads.pump();
  }

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  /// Bytes of a text.
  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private TxnResult put(String key, String value) {
    return await(store.txn(Txn.put(key, bytes(value))));
  }

  private KeyValue get(String key) {
    return await(store.get(key)).orElseThrow(() -> new AssertionError("no key " + key));
  }

  private List<String> keys(KeyRange range) {
    return keys(await(store.range(range)));
  }

  private static List<String> keys(RangeResult result) {
    return result.entries().stream().map(KeyValue::key).toList();
  }

  private void assertFails(CompletableFuture<?> future, ErrorCode code) {
    assertThatThrownBy(() -> await(future))
        .isInstanceOfSatisfying(DbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /// Collects what a watch delivers.
  protected static final class Seen implements WatchListener {
    public final List<WatchEvent> events = new ArrayList<>();
    public final List<Throwable> losses = new ArrayList<>();

    @Override
    public void onEvents(List<WatchEvent> more) {
      events.addAll(more);
    }

    @Override
    public void onLost(Throwable why) {
      losses.add(why);
    }

    List<String> texts() {
      return events.stream()
          .map(event ->
              switch (event) {
                case WatchEvent.Updated e ->
                    e.key() + "=" + new String(e.entry().value(), StandardCharsets.UTF_8);
                case WatchEvent.Deleted e -> e.key() + " deleted";
              })
          .toList();
    }
  }

  private Watch watch(String prefix, Seen seen) {
    return await(store.watch(prefix, threads.loop("watcher", 1000), seen));
  }

  @Test
  void missingKeyIsAbsent() {
    assertThat(await(store.get("nothing"))).isEmpty();
    assertThat(keys(KeyRange.ALL)).isEmpty();
  }

  @Test
  void putKeyIsReadBackWithItsRevisions() {
    TxnResult first = put("a", "1");
    TxnResult second = put("a", "2");

    KeyValue entry = get("a");
    assertThat(entry.value()).isEqualTo(bytes("2"));
    assertThat(entry.createRevision()).isEqualTo(first.revision());
    assertThat(entry.modRevision()).isEqualTo(second.revision());
    assertThat(entry.lease()).isEqualTo(LeaseId.NONE);
  }

  @Test
  void emptyValueIsKept() {
    put("a", "");

    assertThat(get("a").value()).isEmpty();
  }

  @Test
  void revisionGrowsByOneForEachTransactionThatChangesSomething() {
    long start = put("a", "1").revision();
    TxnResult wide =
        await(store.txn(Txn.builder().put("b", bytes("1")).put("c", bytes("1")).build()));
    TxnResult nothing = await(store.txn(Txn.delete("missing")));
    TxnResult refused = await(store.txn(Txn.builder().ifAbsent("a").put("z", bytes("1")).build()));

    assertThat(wide.revision()).isEqualTo(start + 1);
    assertThat(get("b").modRevision()).isEqualTo(get("c").modRevision());
    assertThat(nothing).isEqualTo(new TxnResult(true, start + 1));
    assertThat(refused).isEqualTo(new TxnResult(false, start + 1));
  }

  @Test
  void failedCompareChangesNothing() {
    put("a", "1");
    put("doomed", "1");

    TxnResult result =
        await(
            store.txn(
                Txn.builder()
                    .ifExists("a")
                    .ifAbsent("doomed")
                    .put("a", bytes("2"))
                    .put("new", bytes("2"))
                    .deletePrefix("d")
                    .build()));

    assertThat(result.succeeded()).isFalse();
    assertThat(get("a").value()).isEqualTo(bytes("1"));
    assertThat(keys(KeyRange.ALL)).containsExactly("a", "doomed");
  }

  @Test
  void everyKindOfCompareIsEvaluated() {
    TxnResult created = put("a", "1");
    TxnResult changed = put("a", "2");

    assertThat(holds(Txn.builder().ifExists("a"))).isTrue();
    assertThat(holds(Txn.builder().ifExists("b"))).isFalse();
    assertThat(holds(Txn.builder().ifAbsent("b"))).isTrue();
    assertThat(holds(Txn.builder().ifAbsent("a"))).isFalse();
    assertThat(holds(Txn.builder().ifModRevision("a", changed.revision()))).isTrue();
    assertThat(holds(Txn.builder().ifModRevision("a", created.revision()))).isFalse();
    assertThat(holds(Txn.builder().ifModRevision("b", 0))).isFalse();
    assertThat(holds(Txn.builder().ifCreateRevision("a", created.revision()))).isTrue();
    assertThat(holds(Txn.builder().ifCreateRevision("a", changed.revision()))).isFalse();
    assertThat(holds(Txn.builder().ifValue("a", bytes("2")))).isTrue();
    assertThat(holds(Txn.builder().ifValue("a", bytes("1")))).isFalse();
    assertThat(holds(Txn.builder().ifValue("b", bytes("")))).isFalse();
  }

  private boolean holds(Txn.Builder builder) {
    return await(store.txn(builder.put("probe", bytes("x")).build())).succeeded();
  }

  @Test
  void recreatedKeyHasANewCreateRevision() {
    long first = put("leader", "x").revision();
    await(store.txn(Txn.delete("leader")));
    put("leader", "y");

    TxnResult fenced =
        await(
            store.txn(
                Txn.builder().ifCreateRevision("leader", first).put("a", bytes("1")).build()));

    assertThat(fenced.succeeded()).isFalse();
  }

  @Test
  void transactionsInFlightSeeThoseBeforeThem() {
    var first = store.txn(Txn.builder().ifAbsent("a").put("a", bytes("1")).build());
    var second = store.txn(Txn.builder().ifAbsent("a").put("a", bytes("2")).build());
    var third = store.txn(Txn.builder().ifValue("a", bytes("1")).delete("a").build());
    var fourth = store.txn(Txn.builder().ifAbsent("a").put("a", bytes("4")).build());

    assertThat(await(first).succeeded()).isTrue();
    assertThat(await(second).succeeded()).isFalse();
    assertThat(await(third).succeeded()).isTrue();
    assertThat(await(fourth).succeeded()).isTrue();
    assertThat(get("a").value()).isEqualTo(bytes("4"));
    assertThat(get("a").createRevision()).isEqualTo(await(fourth).revision());
  }

  @Test
  void rangeDeleteInFlightSeesPutsBeforeIt() {
    put("x/1", "1");
    store.txn(Txn.put("x/2", bytes("1")));
    store.txn(Txn.delete("x/1"));
    store.txn(Txn.put("y", bytes("1")));
    var deleted = store.txn(Txn.builder().deletePrefix("x/").build());

    await(deleted);
    assertThat(keys(KeyRange.ALL)).containsExactly("y");
  }

  @Test
  void deletingAPrefixLeavesItsNeighbours() {
    for (String key : List.of("a", "a/", "a/1", "a/2", "a0", "b")) {
      put(key, "1");
    }

    await(store.txn(Txn.builder().deletePrefix("a/").build()));

    assertThat(keys(KeyRange.ALL)).containsExactly("a", "a0", "b");
  }

  @Test
  void transactionMayNameAKeyOnlyOnce() {
    assertThatThrownBy(() -> Txn.builder().put("a", bytes("1")).put("a", bytes("2")).build())
        .isInstanceOf(DbException.class);
    assertThatThrownBy(() -> Txn.builder().put("a/1", bytes("1")).deletePrefix("a/").build())
        .isInstanceOf(DbException.class);
  }

  @Test
  void malformedKeysAreRefused() {
    assertThatThrownBy(() -> Txn.put("", bytes("1"))).isInstanceOf(DbException.class);
    assertThatThrownBy(() -> Txn.put("\uD800", bytes("1"))).isInstanceOf(DbException.class);
    assertThatThrownBy(() -> Txn.put("x".repeat(10_000), bytes("1")))
        .isInstanceOf(DbException.class);
  }

  @Test
  void rangeIsOrderedByUtf8Bytes() {
    List<String> ordered =
        List.of(
            "a",
            "a\0",
            "a\u0001",
            "aa",
            "b",
            "\u00E9",
            "\uD7FF",
            "\uE000",
            "\uFFFD",
            "\uD83D\uDE00",
            "\uDBFF\uDFFF");
    for (String key : ordered.reversed()) {
      put(key, key);
    }

    assertThat(keys(KeyRange.ALL)).containsExactlyElementsOf(ordered);
    assertThat(keys(KeyRange.prefix("a"))).containsExactly("a", "a\0", "a\u0001", "aa");
    assertThat(keys(KeyRange.prefix("\uD7FF"))).containsExactly("\uD7FF");
    assertThat(keys(KeyRange.prefix("\uDBFF\uDFFF"))).containsExactly("\uDBFF\uDFFF");
    assertThat(keys(KeyRange.between("aa", "\uE000")))
        .containsExactly("aa", "b", "\u00E9", "\uD7FF");
    assertThat(keys(KeyRange.single("a"))).containsExactly("a");
  }

  @Test
  void limitedRangesPageThroughEverything() {
    for (int i = 0; i < 10; i++) {
      put("p/" + i, "1");
    }
    put("q", "1");

    List<String> found = new ArrayList<>();
    KeyRange range = KeyRange.prefix("p/");
    RangeResult page;
    do {
      page = await(store.range(range, 3));
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(3);
      found.addAll(keys(page));
      range = range.after(page.entries().getLast().key());
    } while (page.more());

    assertThat(found).hasSize(10).isSorted();
    assertThat(await(store.range(KeyRange.prefix("p/"), 10)).more()).isFalse();
  }

  @Test
  void rangeTellsTheRevisionThatItWasReadAt() {
    long revision = put("a", "1").revision();

    assertThat(await(store.range(KeyRange.ALL)).revision()).isEqualTo(revision);
    assertThat(await(store.range(KeyRange.prefix("none"))).revision()).isEqualTo(revision);
  }

  @Test
  void watchDeliversLaterChangesUnderItsPrefixInOrder() {
    put("w/old", "1");
    Seen seen = new Seen();
    long before = put("w/old", "2").revision();
    Watch watch = watch("w/", seen);

    put("w/b", "1");
    put("x", "1");
    await(
        store.txn(
            Txn.builder().put("w/c", bytes("2")).put("w/a", bytes("2")).delete("w/b").build()));
    settle();

    assertThat(watch.startRevision()).isEqualTo(before);
    assertThat(seen.texts().getFirst()).isEqualTo("w/b=1");
    assertThat(seen.texts()).containsExactlyInAnyOrder("w/b=1", "w/b deleted", "w/a=2", "w/c=2");
    assertThat(seen.events).extracting(WatchEvent::revision).isSorted();
    assertThat(seen.losses).isEmpty();
  }

  @Test
  void closedWatchDeliversNothingMore() {
    Seen seen = new Seen();
    Watch watch = watch("", seen);
    put("a", "1");
    settle();

    watch.close();
    put("b", "1");
    settle();

    assertThat(seen.texts()).containsExactly("a=1");
  }

  @Test
  void refusedTransactionIsNotWatched() {
    put("a", "1");
    Seen seen = new Seen();
    watch("", seen);

    await(store.txn(Txn.builder().ifAbsent("a").put("a", bytes("2")).build()));
    settle();

    assertThat(seen.events).isEmpty();
  }

  @Test
  void keysDieWithTheirLease() {
    LeaseId lease = await(store.grantLease(Duration.ofSeconds(10)));
    await(store.txn(Txn.builder().put("l/1", bytes("1"), lease).put("l/2", bytes("1")).build()));
    Seen seen = new Seen();
    watch("l/", seen);

    assertThat(get("l/1").lease()).isEqualTo(lease);
    passTime(Duration.ofSeconds(9));
    assertThat(keys(KeyRange.prefix("l/"))).containsExactly("l/1", "l/2");

    passTime(Duration.ofSeconds(2));
    assertThat(keys(KeyRange.prefix("l/"))).containsExactly("l/2");
    assertThat(seen.texts()).containsExactly("l/1 deleted");
    assertFails(store.keepAlive(lease), ErrorCode.IO_KEY_NOT_FOUND);
  }

  @Test
  void keepAliveStartsTheLeaseAnew() {
    LeaseId lease = await(store.grantLease(Duration.ofSeconds(10)));
    await(store.txn(Txn.builder().put("l", bytes("1"), lease).build()));

    for (int i = 0; i < 5; i++) {
      passTime(Duration.ofSeconds(8));
      await(store.keepAlive(lease));
    }

    assertThat(keys(KeyRange.ALL)).containsExactly("l");
    passTime(Duration.ofSeconds(11));
    assertThat(keys(KeyRange.ALL)).isEmpty();
  }

  @Test
  void revokedLeaseTakesItsKeysAtOnce() {
    LeaseId lease = await(store.grantLease(Duration.ofSeconds(10)));
    await(store.txn(Txn.builder().put("l", bytes("1"), lease).build()));

    await(store.revokeLease(lease));
    await(store.revokeLease(lease));

    assertThat(keys(KeyRange.ALL)).isEmpty();
  }

  @Test
  void keyPutAgainWithoutLeaseSurvivesIt() {
    LeaseId lease = await(store.grantLease(Duration.ofSeconds(10)));
    await(store.txn(Txn.builder().put("l", bytes("1"), lease).build()));
    put("l", "2");

    await(store.revokeLease(lease));

    assertThat(get("l").value()).isEqualTo(bytes("2"));
  }

  @Test
  void putWithAnEndedLeaseIsRefusedAndChangesNothing() {
    LeaseId lease = await(store.grantLease(Duration.ofSeconds(10)));
    await(store.revokeLease(lease));

    var before = store.txn(Txn.put("x", bytes("1")));
    var refused = store.txn(Txn.builder().put("a", bytes("1")).put("b", bytes("1"), lease).build());
    var after = store.txn(Txn.put("y", bytes("1")));

    assertFails(refused, ErrorCode.IO_KEY_NOT_FOUND);
    assertThat(await(before).succeeded()).isTrue();
    assertThat(await(after).succeeded()).isTrue();
    assertThat(keys(KeyRange.ALL)).containsExactly("x", "y");
  }

  @Test
  void closedStoreRefusesUse() {
    put("a", "1");
    store.close();
    store.close();

    assertFails(store.txn(Txn.put("b", bytes("1"))), ErrorCode.SERVICE_UNAVAILABLE);
    assertFails(store.get("a"), ErrorCode.SERVICE_UNAVAILABLE);
    assertFails(store.range(KeyRange.ALL), ErrorCode.SERVICE_UNAVAILABLE);
  }

  @Test
  void closeAnswersWhatWasAccepted() {
    var accepted = store.txn(Txn.put("a", bytes("1")));

    store.close();

    assertThat(await(accepted).succeeded()).isTrue();
  }

  @Test
  void entriesAndRevisionsOutliveAClose() {
    assumeThat(isPersistent()).isTrue();
    put("a", "1");
    put("a", "2");
    put("b", "1");
    long last = await(store.txn(Txn.delete("b"))).revision();
    KeyValue before = get("a");

    store.close();
    store = open();

    assertThat(get("a")).isEqualTo(before);
    assertThat(keys(KeyRange.ALL)).containsExactly("a");
    assertThat(put("c", "1").revision()).isEqualTo(last + 1);
  }

  @Test
  void leasesEndWithTheProcess() {
    assumeThat(isPersistent()).isTrue();
    LeaseId lease = await(store.grantLease(Duration.ofSeconds(10)));
    await(
        store.txn(
            Txn.builder().put("l/1", bytes("1"), lease).put("l/2", bytes("1"), lease).build()));
    long last = put("l/2", "free").revision();

    store.close();
    store = open();

    assertThat(keys(KeyRange.ALL)).containsExactly("l/2");
    assertThat(put("z", "1").revision()).isGreaterThan(last);
  }

  @Test
  void agreesWithAModelOnRandomTransactions() {
    Seeds.forEach("meta-model", 5, rng -> checkAgainstModel(rng, 150));
  }

  private void checkAgainstModel(Rng rng, int rounds) {
    await(store.txn(Txn.builder().delete(KeyRange.ALL).build()));
    TreeMap<String, String> model = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      Txn.Builder txn = Txn.builder();
      boolean holds = true;
      String probe = Seeds.word(rng, 2);
      if (Seeds.oneIn(rng, 2)) {
        txn.ifAbsent(probe);
        holds = !model.containsKey(probe);
      }
      TreeMap<String, String> next = new TreeMap<>(model);
      String prefix = Seeds.word(rng, 2);
      if (Seeds.oneIn(rng, 4)) {
        txn.deletePrefix(prefix);
        next.keySet().removeIf(key -> key.startsWith(prefix));
      } else {
        String key = Seeds.word(rng, 3);
        txn.put(key, bytes("v" + round));
        next.put(key, "v" + round);
      }
      assertThat(await(store.txn(txn.build())).succeeded()).isEqualTo(holds);
      model = holds ? next : model;
      if (round % 10 == 0) {
        TreeMap<String, String> found = new TreeMap<>();
        for (KeyValue entry : await(store.range(KeyRange.ALL)).entries()) {
          found.put(entry.key(), new String(entry.value(), StandardCharsets.UTF_8));
        }
        assertThat(found).isEqualTo(model);
      }
    }
  }
}
