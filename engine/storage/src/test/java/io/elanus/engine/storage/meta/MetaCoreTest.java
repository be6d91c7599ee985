package io.elanus.engine.storage.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.SystemClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetaCoreTest {
  private static final class FailingBacking implements Backing {
    final TreeMap<String, KeyValue> entries = new TreeMap<>();
    boolean failWrites;
    int writes;

    @Override
    public @Nullable KeyValue get(String key) {
      return entries.get(key);
    }

    @Override
    public List<KeyValue> range(KeyRange range, int limit) {
      return entries.values().stream()
          .filter(entry -> range.contains(entry.key()))
          .limit(limit)
          .toList();
    }

    @Override
    public void write(SortedMap<String, Overlay.Change> changes, long revision) {
      if (failWrites) {
        throw DbException.described(ErrorCode.IO_FAILED, "No space left on device");
      }
      writes++;
      changes.forEach((key, change) -> {
        if (change.entry() != null) {
          entries.put(key, change.entry());
        } else {
          entries.remove(key);
        }
      });
    }
  }

  private final FailingBacking backing = new FailingBacking();
  private final WatchHub hub = new WatchHub(0);
  private final MetaCore core =
      new MetaCore(
          backing, new LeaseTable(SystemClock.INSTANCE, (_, _, _) -> () -> {}, _ -> {}), hub, 0);

  private static MetaCore.TxnOp put(String key) {
    return new MetaCore.TxnOp(
        Txn.put(key, key.getBytes(StandardCharsets.UTF_8)), new CompletableFuture<>());
  }

  @Test
  void aGroupIsOneWrite() {
    List<MetaCore.Op> group = List.of(put("a"), put("b"), put("c"));

    core.commit(group).forEach(Runnable::run);

    assertThat(backing.writes).isEqualTo(1);
    assertThat(core.revision()).isEqualTo(3);
    assertThat(group).allMatch(op -> op.future().isDone());
  }

  @Test
  void nothingIsAnsweredOrWatchedBeforeTheWrite() {
    List<WatchEvent> seen = new ArrayList<>();
    hub.add("", Runnable::run, listener(seen));
    MetaCore.TxnOp op = put("a");

    List<Runnable> answers = core.commit(List.of(op));

    assertThat(op.future()).isNotDone();
    answers.forEach(Runnable::run);
    assertThat(op.future()).isDone();
    assertThat(seen).hasSize(1);
  }

  private static WatchListener listener(List<WatchEvent> seen) {
    return new WatchListener() {
      @Override
      public void onEvents(List<WatchEvent> events) {
        seen.addAll(events);
      }

      @Override
      public void onLost(Throwable why) {
        throw new AssertionError(why);
      }
    };
  }

  @Test
  void failedWriteFailsItsGroupAndStopsTheStore() {
    List<WatchEvent> seen = new ArrayList<>();
    hub.add("", Runnable::run, listener(seen));
    core.commit(List.of(put("a"))).forEach(Runnable::run);
    backing.failWrites = true;
    List<MetaCore.Op> group = List.of(put("b"), put("c"));
    core.commit(group).forEach(Runnable::run);
    backing.failWrites = false;
    MetaCore.TxnOp later = put("d");

    core.commit(List.of(later)).forEach(Runnable::run);

    List<MetaCore.Op> refused = new ArrayList<>(group);
    refused.add(later);
    for (MetaCore.Op op : refused) {
      assertThatThrownBy(() -> op.future().join())
          .cause()
          .isInstanceOfSatisfying(
              DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_FAILED))
          .hasMessageContaining("No space left");
    }
    assertThat(backing.entries).containsOnlyKeys("a");
    assertThat(core.revision()).isEqualTo(1);
    assertThat(seen).hasSize(1);
  }
}
