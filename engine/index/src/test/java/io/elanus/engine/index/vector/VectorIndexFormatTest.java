package io.elanus.engine.index.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elanus.base.column.Column;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.MetricType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorIndexFormatTest {
  private static final List<BuildParams> KINDS =
      List.of(
          BuildParams.flat(),
          BuildParams.hnsw(6, 40),
          BuildParams.ivfFlat(8),
          new BuildParams(IndexType.AUTOINDEX, 6, 40, 0));

  private static final String KEY = "indexes/7/3/1-9";

  private final TestVectors all = TestVectors.clustered(21, 1530, 33, 20);
  private final TestVectors base = all.slice(0, 1500);
  private final TestVectors queries = all.slice(1500, 1530);

  private byte[] bytesOf(BuildParams kind, MetricType metric) throws IOException {
    VectorIndex index =
        VectorIndexBuilder.build(kind, metric, base.column(), BuildContext.onCaller(5));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VectorIndexFormat.write(index, out);
    assertThat(VectorIndexFormat.sizeBytes(index)).isEqualTo(out.size());
    return out.toByteArray();
  }

  private static VectorIndex open(byte[] file, Column vectors) {
    return VectorIndexFormat.open(KEY, MemorySegment.ofArray(file), vectors);
  }

  @Test
  void aMappedIndexAnswersLikeTheBuiltOne(@TempDir Path folder) throws IOException {
    for (MetricType metric : List.of(MetricType.L2, MetricType.IP, MetricType.COSINE)) {
      for (BuildParams kind : KINDS) {
        VectorIndex built =
            VectorIndexBuilder.build(kind, metric, base.column(), BuildContext.onCaller(5));
        Path indexFile = folder.resolve(kind.type() + "-" + metric);
        Path columnFile = folder.resolve(kind.type() + "-" + metric + "-vectors");
        Files.write(
            columnFile, base.column().data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
        try (FileChannel channel =
            FileChannel.open(indexFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
          VectorIndexFormat.write(built, channel);
        }

        try (Arena arena = Arena.ofShared();
            FileChannel index = FileChannel.open(indexFile);
            FileChannel column = FileChannel.open(columnFile)) {
          MemorySegment data = column.map(FileChannel.MapMode.READ_ONLY, 0, column.size(), arena);
          Column vectors =
              Column.fixed(DataType.FLOAT_VECTOR, base.dim, base.rows.length, data, null);
          VectorIndex opened =
              VectorIndexFormat.open(
                  KEY, index.map(FileChannel.MapMode.READ_ONLY, 0, index.size(), arena), vectors);

          assertThat(opened.type()).isEqualTo(kind.type());
          assertThat(opened.metric()).isEqualTo(metric);
          assertThat(opened.sizeBytes()).isEqualTo(built.sizeBytes());
          TopK before = new TopK();
          TopK after = new TopK();
          for (float[] query : queries.rows) {
            built.search(query, 0, 10, SearchParams.DEFAULT, null, before);
            opened.search(query, 0, 10, SearchParams.DEFAULT, null, after);
            assertThat(TestVectors.rowsOf(after)).isEqualTo(TestVectors.rowsOf(before));
            assertThat(after.scoreAt(9)).isEqualTo(before.scoreAt(9));
          }
        }
      }
    }
  }

  @Test
  void everyFlippedBitOfHeaderAndSectionsIsNoticed() throws IOException {
    for (BuildParams kind : KINDS) {
      byte[] good = bytesOf(kind, MetricType.COSINE);
      MemorySegment header = MemorySegment.ofArray(good);
      int step = Math.max(1, good.length / 400);
      for (int at = 0; at < good.length; at += at < 200 ? 1 : step) {
        byte[] bad = good.clone();
        bad[at] ^= (byte) (1 << (at & 7));
        if (isPadding(header, at)) {
          continue;
        }
        int where = at;
        assertThatExceptionOfType(DbException.class)
            .as("%s byte %s", kind.type(), where)
            .isThrownBy(() -> open(bad, base.column()))
            .withMessageContaining("object " + KEY)
            .matches(e -> e.code() == ErrorCode.DATA_INTEGRITY);
      }
    }
  }

  /// Bytes between sections belong to no checksum.
  private static boolean isPadding(MemorySegment file, int at) {
    int sections = file.get(java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED, 52);
    if (at < 56 + 24 * sections + 4) {
      return false;
    }
    for (int i = 0; i < sections; i++) {
      long offset = file.get(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, 64 + 24L * i);
      long length = file.get(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, 72 + 24L * i);
      if (at >= offset && at < offset + length) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aFileCutShortIsNoticed() throws IOException {
    for (BuildParams kind : KINDS) {
      byte[] good = bytesOf(kind, MetricType.COSINE);
      for (int length : new int[] {0, 7, 55, 70, good.length / 2, good.length - 1}) {
        byte[] cut = java.util.Arrays.copyOf(good, length);
        assertThatExceptionOfType(DbException.class)
            .isThrownBy(() -> open(cut, base.column()))
            .withMessageContaining("object " + KEY)
            .matches(e -> e.code() == ErrorCode.DATA_INTEGRITY);
      }
    }
  }

  @Test
  void anIndexOfANewerVersionIsRefusedForGood() throws IOException {
    for (BuildParams kind : KINDS) {
      byte[] newer = bytesOf(kind, MetricType.L2);
      ByteBuffer header = ByteBuffer.wrap(newer).order(ByteOrder.LITTLE_ENDIAN);
      int checked = 56 + 24 * header.getInt(52);
      header.putInt(8, 4);
      CRC32C crc = new CRC32C();
      crc.update(newer, 0, checked);
      header.putInt(checked, (int) crc.getValue());

      assertThatExceptionOfType(DbException.class)
          .isThrownBy(() -> open(newer, base.column()))
          .matches(e -> e.code() == ErrorCode.OPERATION_UNSUPPORTED && !e.isRetriable())
          .withMessageContainingAll(
              "object " + KEY,
              "format version 4",
              "reads up to 1",
              "start it with the newer version");
    }
  }

  @Test
  void anIndexOverAnotherColumnIsRefused() throws IOException {
    byte[] good = bytesOf(BuildParams.hnsw(6, 40), MetricType.L2);
    Column shorter = base.slice(0, 1499).column();
    assertThatExceptionOfType(DbException.class)
        .isThrownBy(() -> open(good, shorter))
        .withMessageContaining("the column has 1499 rows of 33");
  }
}
