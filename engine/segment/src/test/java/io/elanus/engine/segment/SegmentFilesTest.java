package io.elanus.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.object.LocalObjectStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStat;
import io.elanus.engine.storage.object.ObjectStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFilesTest {
  private static final String PATH = "segments/1/2/3";
  private final Rng rng = new Rng(7);

  private List<Samples.Row> rows(int count) {
    List<Samples.Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(Samples.row(rng, 10_000 - i));
    }
    return rows;
  }

  private List<Samples.Row> write(ObjectStore store, boolean textKeys, int count) {
    List<Samples.Row> rows = rows(count);
    SegmentWriter writer = new SegmentWriter(store, PATH, Samples.schema(textKeys));
    writer.add(Samples.batch(rows, textKeys), new HybridTs(77));
    writer.finish();
    return rows;
  }

  @Test
  void mappedFilesGiveBackWhatWasWritten(@TempDir Path folder) {
    LocalObjectStore store = new LocalObjectStore(folder);
    List<Samples.Row> rows = write(store, true, 5000);

    SealedSegment segment = SealedSegment.open(store, PATH);
    segment.verifyAll();

    assertThat(segment.rows()).isEqualTo(5000);
    assertThat(segment.minTs()).isEqualTo(new HybridTs(77));
    var expected = Samples.batch(rows, true);
    for (int row = 0; row < rows.size(); row += 37) {
      for (var id : expected.columns().keySet()) {
        assertThat(TestColumns.valueAt(segment.column(id), row))
            .isEqualTo(TestColumns.valueAt(expected.column(id), row));
      }
    }
    segment.release();
  }

  @Test
  void anyFlippedByteOfAnyObjectIsFoundBeforeItIsServed() {
    MemoryObjectStore store = new MemoryObjectStore();
    write(store, false, 3000);
    List<ObjectStat> objects = store.list(PATH);
    assertThat(objects).hasSize(8);

    for (ObjectStat object : objects) {
      byte[] good = store.get(object.key());
      for (int i = 0; i < 25; i++) {
        int at = i == 0 ? good.length - 1 : rng.nextInt(good.length);
        byte[] bad = good.clone();
        bad[at] ^= (byte) (1 << rng.nextInt(8));
        store.put(object.key(), bad);
        assertThatThrownBy(() -> SealedSegment.open(store, PATH).verifyAll())
            .as("%s byte %d", object.key(), at)
            .isInstanceOfSatisfying(
                DbException.class,
                e -> {
                  assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY);
                  assertThat(e).hasMessageContaining(object.key());
                });
      }
      store.put(object.key(), good);
    }
    SealedSegment.open(store, PATH).verifyAll();
  }

  @Test
  void damagedColumnIsRefusedOnItsFirstUse() {
    MemoryObjectStore store = new MemoryObjectStore();
    write(store, false, 3000);
    String key = PATH + "/f102.col";
    byte[] bytes = store.get(key);
    bytes[500] ^= 1;
    store.put(key, bytes);

    SealedSegment segment = SealedSegment.open(store, PATH);

    assertThat(segment.column(Samples.TEXT)).isNotNull();
    assertThatThrownBy(() -> segment.column(Samples.NUMBER)).hasMessageContaining(key);
    assertThatThrownBy(() -> segment.column(Samples.NUMBER)).hasMessageContaining(key);
  }

  @Test
  void truncatedAndMissingObjectsAreNamed() {
    MemoryObjectStore store = new MemoryObjectStore();
    write(store, false, 3000);
    for (ObjectStat object : store.list(PATH)) {
      byte[] good = store.get(object.key());
      store.put(object.key(), Arrays.copyOf(good, good.length / 2));
      assertThatThrownBy(() -> SealedSegment.open(store, PATH))
          .hasMessageContaining(object.key())
          .extracting(e -> ((DbException) e).code())
          .isEqualTo(ErrorCode.DATA_INTEGRITY);
      store.delete(object.key());
      assertThatThrownBy(() -> SealedSegment.open(store, PATH))
          .hasMessageContaining(object.key())
          .extracting(e -> ((DbException) e).code())
          .isEqualTo(ErrorCode.SEGMENT_LOAD_FAILED);
      store.put(object.key(), good);
    }
  }

  private static void assertNewer(ThrowingCallable call, String key, int version) {
    assertThatThrownBy(call)
        .as(key)
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OPERATION_UNSUPPORTED);
              assertThat(e.isRetriable()).isFalse();
            })
        .hasMessageContainingAll(
            "object " + key,
            "format version " + version,
            "reads up to 1",
            "start it with the newer version");
  }

  /// Puts `version` into an object whose last four bytes are its checksum.
  private static void setVersion(ObjectStore store, String key, int version) {
    byte[] bytes = store.get(key);
    bytes[4] = (byte) version;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 4, (int) crc.getValue());
    store.put(key, bytes);
  }

  @Test
  void manifestOfANewerVersionIsRefusedForGood() {
    MemoryObjectStore store = new MemoryObjectStore();
    write(store, false, 10);
    setVersion(store, PATH + "/manifest", 5);

    assertNewer(() -> SealedSegment.open(store, PATH), PATH + "/manifest", 5);
  }

  @Test
  void filesOfANewerVersionAreRefusedForGood() {
    for (String name : List.of("f102.col", "f1.col", "keys.idx")) {
      MemoryObjectStore store = new MemoryObjectStore();
      write(store, false, 10);
      String key = PATH + "/" + name;
      byte[] bytes = store.get(key);
      bytes[4] = 2;
      store.put(key, bytes);
      // With the manifest's checksum it was flipped; with a checksum that fits it was written so.
      assertThatThrownBy(() -> SealedSegment.open(store, PATH).verifyAll())
          .isInstanceOfSatisfying(
              DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY))
          .hasMessageContaining(key);
      SegmentManifest manifest =
          SegmentManifest.decode(PATH + "/manifest", store.get(PATH + "/manifest"));
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      for (SegmentManifest.FileEntry entry : manifest.files()) {
        if (entry.name().equals(name)) {
          entry.blockSums()[0] = (int) crc.getValue();
        }
      }
      store.put(PATH + "/manifest", manifest.encode());

      assertNewer(() -> SealedSegment.open(store, PATH).verifyAll(), key, 2);
    }
  }

  @Test
  void deltaLogOfANewerVersionIsRefusedForGood() {
    MemoryObjectStore store = new MemoryObjectStore();
    new DeltaLog(PrimaryKeys.of(1, 2), new long[] {5, 6}, new long[] {-1, -1}).write(store, "d/1");
    setVersion(store, "d/1", 3);
    assertNewer(() -> DeltaLog.read(store, "d/1"), "d/1", 3);

    setVersion(store, "d/1", 0);
    assertThatThrownBy(() -> DeltaLog.read(store, "d/1"))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY));
  }

  @Test
  void fieldsAddedLaterReadAsTheirDefaultOrNull() {
    MemoryObjectStore store = new MemoryObjectStore();
    write(store, false, 10);
    CollectionSchema before = Samples.schema(false);
    FieldSchema withDefault =
        new FieldSchema(
            new io.elanus.base.id.FieldId(200),
            "later",
            "",
            DataType.INT32,
            null,
            new FieldSchema.Flags(false, false, false, false, false, true, false),
            java.util.Map.of(),
            new FieldSchema.DefaultValue.Whole(5));
    FieldSchema nullable =
        FieldSchema.of(201, "empty", DataType.VARCHAR)
            .withFlags(new FieldSchema.Flags(false, false, false, false, false, true, false));
    List<FieldSchema> fields = new ArrayList<>(before.fields());
    fields.add(withDefault);
    fields.add(nullable);
    CollectionSchema after = new CollectionSchema("c", "", false, 2, fields);

    SealedSegment segment = SealedSegment.open(store, PATH);
    var fetched = segment.fetch(new int[] {3, 4}, List.of(withDefault, nullable));

    assertThat(Objects.requireNonNull(fetched.column(withDefault.id())).integerAt(1)).isEqualTo(5);
    assertThat(Objects.requireNonNull(fetched.column(nullable.id())).isNull(0)).isTrue();
    assertThat(
            segment
                .select(HybridTs.MAX, SegmentFilter.compile("later == 5 and empty is null", after))
                .cardinality())
        .isEqualTo(10);
  }

  @Test
  void deltaLogReadsBackAndRefusesDamage() {
    MemoryObjectStore store = new MemoryObjectStore();
    DeltaLog log =
        new DeltaLog(
            PrimaryKeys.of("a", "b"), new long[] {9, 7}, new long[] {DeltaLog.ALL_PARTITIONS, 3});

    DeltaLog.Written written = log.write(store, "deltas/1");
    DeltaLog read = DeltaLog.read(store, "deltas/1");

    assertThat(written.minTs()).isEqualTo(new HybridTs(7));
    assertThat(written.maxTs()).isEqualTo(new HybridTs(9));
    assertThat(read.keys()).isEqualTo(log.keys());
    assertThat(read.ticks()).containsExactly(9, 7);
    assertThat(read.partitions()).containsExactly(-1, 3);
    byte[] bytes = store.get("deltas/1");
    for (int i = 0; i < bytes.length; i++) {
      byte[] bad = bytes.clone();
      bad[i] ^= 4;
      store.put("deltas/2", bad);
      assertThatThrownBy(() -> DeltaLog.read(store, "deltas/2")).hasMessageContaining("deltas/2");
    }
    assertThatThrownBy(() -> DeltaLog.read(store, "deltas/none"))
        .hasMessageContaining("deltas/none");
  }

  @Test
  void emptySegmentIsReadable() {
    MemoryObjectStore store = new MemoryObjectStore();
    new SegmentWriter(store, PATH, Samples.schema(true)).finish();

    SealedSegment segment = SealedSegment.open(store, PATH);
    segment.verifyAll();

    assertThat(segment.select(HybridTs.MAX, null).cardinality()).isZero();
    assertThat(segment.firstByKey(segment.select(HybridTs.MAX, null), -1)).isEmpty();
  }
}
