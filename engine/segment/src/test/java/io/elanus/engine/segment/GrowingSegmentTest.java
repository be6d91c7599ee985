package io.elanus.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.TopK;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GrowingSegmentTest {
  private final CollectionSchema schema = Samples.schema(true);
  private final Rng rng = new Rng(3);

  private static HybridTs ts(long value) {
    return new HybridTs(value);
  }

  @Test
  void refusesRowsThatAreOlderThanTheLastDelete() {
    GrowingSegment segment = new GrowingSegment(schema);
    segment.applyDeletes(PrimaryKeys.of("k1"), new long[] {10});

    assertThatThrownBy(
            () -> segment.append(Samples.batch(List.of(Samples.row(rng, 1)), true), ts(9)))
        .isInstanceOf(InvariantViolation.class);
  }

  @Test
  void upsertInOneTransactionLeavesItsOwnRow() {
    GrowingSegment segment = new GrowingSegment(schema);
    segment.append(Samples.batch(List.of(Samples.row(rng, 1)), true), ts(5));

    segment.applyDeletes(PrimaryKeys.of("k1"), new long[] {9});
    segment.append(Samples.batch(List.of(Samples.row(rng, 1)), true), ts(9));

    assertThat(segment.select(ts(8), null).toRows()).containsExactly(0);
    assertThat(segment.select(ts(9), null).toRows()).containsExactly(1);
  }

  @Test
  void releasedSegmentCannotBeHeldAgain() {
    GrowingSegment segment = new GrowingSegment(schema);

    assertThat(segment.retain()).isTrue();
    segment.release();
    segment.release();

    assertThat(segment.retain()).isFalse();
  }

  @Test
  void readersBesideTheWriterSeeWholePrefixesAndRightVectors() throws InterruptedException {
    GrowingSegment segment = new GrowingSegment(schema);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> readers = new ArrayList<>();
    int batches = 300;
    int perBatch = 64;
    for (int r = 0; r < 3; r++) {
      long seed = r;
      Thread reader =
          new Thread(() -> {
            try {
              read(segment, new Rng(seed), batches * perBatch);
            } catch (Throwable e) {
              failure.compareAndSet(null, e);
            }
          });
      readers.add(reader);
      reader.start();
    }
    for (int b = 0; b < batches; b++) {
      List<Samples.Row> rows = new ArrayList<>();
      for (int i = 0; i < perBatch; i++) {
        rows.add(Samples.row(rng, (long) b * perBatch + i));
      }
      segment.append(Samples.batch(rows, true), ts(10 + 2L * b));
      segment.applyDeletes(
          PrimaryKeys.of(Samples.textKey((long) b * perBatch)), new long[] {11 + 2L * b});
    }
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(failure.get()).isNull();
  }

  private void read(GrowingSegment segment, Rng random, int total) {
    int seen = 0;
    while (seen < total) {
      seen = segment.rows();
      if (seen == 0) {
        continue;
      }
      assertThat(seen % 64).isZero();
      long tick = segment.rowTsAt(seen - 1);
      Selection selection = segment.select(ts(tick), null);
      assertThat(selection.bound()).isEqualTo(seen);
      assertThat(selection.cardinality()).isEqualTo(seen - (seen / 64 - 1));
      int row = random.nextInt(seen);
      PrimaryKeys key = segment.keysAt(new int[] {row});
      assertThat(key.keyAt(0)).isEqualTo(Samples.textKey(row));
      SegmentFilter filter = SegmentFilter.compile("pk == \"" + key.keyAt(0) + "\"", schema);
      int expected = row % 64 == 0 && row < seen - 64 ? 0 : 1;
      assertThat(segment.select(ts(tick), filter).cardinality()).isEqualTo(expected);
      TopK[] outs = {new TopK()};
      float[] query = {0, 0, 0, 1};
      segment.search(
          new SearchSpec(Samples.VECTOR, MetricType.COSINE, 4, query, 5, Map.of()),
          selection,
          0,
          1,
          outs);
      assertThat(outs[0].size()).isEqualTo(5);
      assertThat(outs[0].rowAt(0)).isLessThan(seen);
    }
  }
}
