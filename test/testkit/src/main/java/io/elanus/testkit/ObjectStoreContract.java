package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.engine.storage.object.ObjectStat;
import io.elanus.engine.storage.object.ObjectStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [ObjectStore] has to do. Extend it and answer [#open].
public abstract class ObjectStoreContract {
  /// The store under test.
  protected ObjectStore store;

  /// Opens the store; called again after a close, with the same data when [#isPersistent].
  protected abstract ObjectStore open();

  /// Whether objects outlive a close.
  protected abstract boolean isPersistent();

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

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(DbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private List<String> keys(String prefix) {
    return store.list(prefix).stream().map(ObjectStat::key).toList();
  }

  @Test
  void objectIsReadBack() {
    store.put("a/b/c.bin", bytes("hello"));

    assertThat(store.get("a/b/c.bin")).isEqualTo(bytes("hello"));
    assertThat(store.size("a/b/c.bin")).hasValue(5);
    assertThat(store.exists("a/b/c.bin")).isTrue();
  }

  @Test
  void emptyObjectExists() {
    store.put("empty", new byte[0]);

    assertThat(store.get("empty")).isEmpty();
    assertThat(store.size("empty")).hasValue(0);
    try (Arena arena = Arena.ofConfined()) {
      assertThat(store.map("empty", arena).byteSize()).isZero();
    }
  }

  @Test
  void putReplacesTheWholeObject() {
    store.put("a", bytes("a long first version"));
    store.put("a", bytes("short"));

    assertThat(store.get("a")).isEqualTo(bytes("short"));
  }

  @Test
  void putTakesTheRemainingBytesAndLeavesThePosition() {
    ByteBuffer content = ByteBuffer.wrap(bytes("0123456789")).position(3).limit(7);

    store.put("a", content);

    assertThat(store.get("a")).isEqualTo(bytes("3456"));
    assertThat(content.position()).isEqualTo(3);
    assertThat(content.limit()).isEqualTo(7);
  }

  @Test
  void largeContentIsStreamed() {
    byte[] piece = Seeds.bytes(new Rng(1), 100_000);

    store.put(
        "big",
        out -> {
          for (int i = 0; i < 50; i++) {
            out.write(ByteBuffer.wrap(piece));
          }
        });

    assertThat(store.size("big")).hasValue(5_000_000);
    assertThat(store.getRange("big", 49 * 100_000, 100_000)).isEqualTo(piece);
  }

  @Test
  void failingWriterStoresNothing() {
    store.put("a", bytes("old"));

    assertFails(
        () ->
            store.put(
                "a",
                out -> {
                  out.write(ByteBuffer.wrap(bytes("half")));
                  throw new IOException("gave up");
                }),
        ErrorCode.IO_FAILED);
    assertThatThrownBy(() ->
            store.put(
                "b",
                _ -> {
                  throw new IllegalStateException("bug");
                }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(store.get("a")).isEqualTo(bytes("old"));
    assertThat(store.exists("b")).isFalse();
    assertThat(keys("")).containsExactly("a");
  }

  @Test
  void putIfAbsentStoresOnce() {
    assertThat(store.putIfAbsent("d/a", bytes("1"))).isTrue();
    assertThat(store.putIfAbsent("d/a", bytes("2"))).isFalse();

    assertThat(store.get("d/a")).isEqualTo(bytes("1"));
  }

  @Test
  void ofConcurrentPutIfAbsentExactlyOneWins() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 10; round++) {
        String key = "race/" + round + "/object";
        Callable<Boolean> attempt = () -> store.putIfAbsent(key, bytes("x"));
        int winners = 0;
        for (Future<Boolean> result : pool.invokeAll(List.of(attempt, attempt, attempt, attempt))) {
          winners += result.get() ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
      }
    }
  }

  @Test
  void putsSurviveDeletesInTheSameFolder() throws Exception {
    List<Callable<Boolean>> users = new ArrayList<>();
    for (int user = 0; user < 8; user++) {
      String key = "f/g/" + user;
      boolean conditional = user % 2 == 0;
      users.add(() -> {
        for (int i = 0; i < 100; i++) {
          if (conditional) {
            assertThat(store.putIfAbsent(key, bytes("x"))).isTrue();
          } else {
            store.put(key, bytes("x"));
          }
          assertThat(store.delete(key)).isTrue();
        }
        return true;
      });
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(users.size())) {
      for (Future<Boolean> result : pool.invokeAll(users)) {
        assertThat(result.get()).isTrue();
      }
    }
    assertThat(store.list("f/")).isEmpty();
  }

  @Test
  void rangesAreExact() {
    store.put("a", bytes("0123456789"));

    assertThat(store.getRange("a", 0, 10)).isEqualTo(bytes("0123456789"));
    assertThat(store.getRange("a", 3, 4)).isEqualTo(bytes("3456"));
    assertThat(store.getRange("a", 10, 0)).isEmpty();
    assertFails(() -> store.getRange("a", 8, 3), ErrorCode.IO_UNEXPECTED_EOF);
    assertFails(() -> store.getRange("a", 11, 1), ErrorCode.IO_UNEXPECTED_EOF);
    assertFails(() -> store.getRange("a", -1, 1), ErrorCode.IO_UNEXPECTED_EOF);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(4);
      store.readInto("a", 6, target);
      assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes("6789"));
    }
  }

  @Test
  void mappedObjectIsReadOnlyAndOutlivesItsDeletion() {
    store.put("a", bytes("mapped bytes"));

    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = store.map("a", arena);
      store.put("a", bytes("other"));
      store.delete("a");

      assertThat(mapped.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes("mapped bytes"));
      assertThat(mapped.isReadOnly()).isTrue();
    }
  }

  @Test
  void missingObjectIsAnError() {
    store.put("x/y", bytes("1"));

    for (String key : List.of("a", "a/b", "x", "x/y/z")) {
      assertFails(() -> store.get(key), ErrorCode.IO_KEY_NOT_FOUND);
      assertFails(() -> store.getRange(key, 0, 0), ErrorCode.IO_KEY_NOT_FOUND);
      try (Arena arena = Arena.ofConfined()) {
        assertFails(() -> store.map(key, arena), ErrorCode.IO_KEY_NOT_FOUND);
      }
      assertThat(store.size(key)).isEmpty();
      assertThat(store.delete(key)).isFalse();
    }
  }

  @Test
  void listIsOrderedAndCutAtThePrefix() {
    for (String key : List.of("b/2", "a/1/x", "a/10", "a/1", "a-0", "ab/c", "c")) {
      if (!key.equals("a/1")) {
        store.put(key, bytes(key));
      }
    }

    assertThat(keys("")).containsExactly("a-0", "a/1/x", "a/10", "ab/c", "b/2", "c");
    assertThat(keys("a")).containsExactly("a-0", "a/1/x", "a/10", "ab/c");
    assertThat(keys("a/")).containsExactly("a/1/x", "a/10");
    assertThat(keys("a/1")).containsExactly("a/1/x", "a/10");
    assertThat(keys("a/1/")).containsExactly("a/1/x");
    assertThat(keys("nothing/here")).isEmpty();
    assertThat(store.list("b/")).containsExactly(new ObjectStat("b/2", 3));
  }

  @Test
  void deletedObjectsAreGone() {
    store.put("a/1", bytes("1"));
    store.put("a/2", bytes("2"));
    store.put("b", bytes("3"));

    assertThat(store.delete("b")).isTrue();
    assertThat(store.delete("b")).isFalse();
    assertThat(store.deleteAll("a/")).isEqualTo(2);
    assertThat(keys("")).isEmpty();
  }

  @Test
  void keyIsAnObjectOrAFolderNeverBoth() {
    store.put("a/b", bytes("1"));

    assertFails(() -> store.put("a", bytes("2")), ErrorCode.PARAMETER_INVALID);
    assertFails(() -> store.putIfAbsent("a", bytes("2")), ErrorCode.PARAMETER_INVALID);
    assertFails(() -> store.put("a/b/c", bytes("2")), ErrorCode.PARAMETER_INVALID);
    assertFails(() -> store.putIfAbsent("a/b/c/d", bytes("2")), ErrorCode.PARAMETER_INVALID);

    store.delete("a/b");
    store.put("a", bytes("now an object"));
    assertThat(keys("")).containsExactly("a");
  }

  @Test
  void unsafeKeysAreRefused() {
    for (String key :
        List.of(
            "",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "a/../b",
            "a/./b",
            ".tmp/x",
            "a\0b",
            "a\\b",
            "x".repeat(256),
            "a/".repeat(600) + "b")) {
      assertFails(() -> store.put(key, bytes("1")), ErrorCode.PARAMETER_INVALID);
      assertFails(() -> store.get(key), ErrorCode.PARAMETER_INVALID);
      assertFails(() -> store.delete(key), ErrorCode.PARAMETER_INVALID);
    }
    assertThat(keys("")).isEmpty();
  }

  @Test
  void objectsOutliveAClose() {
    assumeThat(isPersistent()).isTrue();
    store.put("a/b", bytes("1"));

    store.close();
    store = open();

    assertThat(store.get("a/b")).isEqualTo(bytes("1"));
  }
}
