package io.elanus.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Segments against lists that are filtered row by row.
class SegmentProperties {
  private record Stored(Samples.Row row, long ts) {}

  private record Deleted(long key, long tick) {}

  private record Filter(String text, Predicate<Samples.Row> test) {}

  /// A history of inserts, deletes and upserts on one shard, and its truth.
  private static final class History {
    final Rng rng;
    final boolean textKeys;
    final CollectionSchema schema;
    final GrowingSegment growing;
    final List<Stored> rows = new ArrayList<>();
    final List<Deleted> deletes = new ArrayList<>();
    long tick = 100;

    History(Rng rng) {
      this.rng = rng;
      this.textKeys = rng.nextInt(2) == 0;
      this.schema = Samples.schema(textKeys);
      this.growing = new GrowingSegment(schema);
    }

    long key() {
      return rng.nextInt(400) - 50L;
    }

    void step() {
      tick += 1 + rng.nextInt(5);
      switch (rng.nextInt(4)) {
        case 0 -> delete(1 + rng.nextInt(20));
        case 1 -> upsert();
        default -> insert(1 + rng.nextInt(rng.nextInt(6) == 0 ? 2500 : 40));
      }
    }

    void insert(int count) {
      List<Samples.Row> batch = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        batch.add(Samples.row(rng, rng.nextInt(3) == 0 ? key() : 1000 + rows.size() + i));
      }
      insert(batch);
    }

    void insert(List<Samples.Row> batch) {
      growing.append(Samples.batch(batch, textKeys), new HybridTs(tick));
      for (Samples.Row row : batch) {
        rows.add(new Stored(row, tick));
      }
    }

    void delete(int count) {
      long[] keys = new long[count];
      for (int i = 0; i < count; i++) {
        keys[i] = key();
      }
      delete(keys);
    }

    void delete(long[] keys) {
      long[] ticks = new long[keys.length];
      java.util.Arrays.fill(ticks, tick);
      growing.applyDeletes(keysOf(keys), ticks);
      for (long key : keys) {
        deletes.add(new Deleted(key, tick));
      }
    }

    PrimaryKeys keysOf(long[] keys) {
      if (!textKeys) {
        return PrimaryKeys.of(keys);
      }
      String[] texts = new String[keys.length];
      for (int i = 0; i < keys.length; i++) {
        texts[i] = Samples.textKey(keys[i]);
      }
      return PrimaryKeys.of(texts);
    }

    void upsert() {
      long key = key();
      delete(new long[] {key});
      insert(List.of(Samples.row(rng, key)));
    }

    boolean isVisible(int row, long readTs, long expired) {
      Stored stored = rows.get(row);
      if (stored.ts > readTs || stored.ts <= expired) {
        return false;
      }
      for (Deleted delete : deletes) {
        if (delete.key == stored.row.key() && stored.ts < delete.tick && delete.tick <= readTs) {
          return false;
        }
      }
      return true;
    }

    List<Integer> visible(long readTs, long expired, Filter filter) {
      List<Integer> found = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) {
        if (isVisible(i, readTs, expired) && filter.test.test(rows.get(i).row)) {
          found.add(i);
        }
      }
      return found;
    }

    /// The same rows as a sealed segment; deletes are applied in an order of their own, some twice.
    SealedSegment seal() {
      MemoryObjectStore store = new MemoryObjectStore();
      SegmentWriter writer = new SegmentWriter(store, "segments/1", schema);
      for (int from = 0; from < rows.size(); ) {
        int count = Math.min(rows.size() - from, 1 + rng.nextInt(3000));
        List<Samples.Row> part = new ArrayList<>();
        long[] ts = new long[count];
        for (int i = 0; i < count; i++) {
          part.add(rows.get(from + i).row);
          ts[i] = rows.get(from + i).ts;
        }
        writer.add(Samples.batch(part, textKeys), ts);
        from += count;
      }
      assertThat(writer.finish().rows()).isEqualTo(rows.size());
      SealedSegment sealed = SealedSegment.open(store, "segments/1");
      List<Deleted> order = new ArrayList<>(deletes);
      for (int i = order.size() - 1; i > 0; i--) {
        java.util.Collections.swap(order, i, rng.nextInt(i + 1));
      }
      order.addAll(deletes.subList(0, deletes.size() / 3));
      for (int i = 0; i < order.size(); i++) {
        Deleted delete = order.get(i);
        sealed.applyDeletes(keysOf(new long[] {delete.key}), new long[] {delete.tick});
        if (i % 7 == 0) {
          sealed.select(new HybridTs(rng.nextInt(2) == 0 ? tick : 100 + rng.nextInt(300)), null);
        }
      }
      return sealed;
    }
  }

  private static Filter filter(History history) {
    Rng rng = history.rng;
    long a = rng.nextInt(50);
    long key = history.key();
    String keyText = history.textKeys ? "\"" + Samples.textKey(key) + "\"" : Long.toString(key);
    return switch (rng.nextInt(7)) {
      case 0 -> new Filter("num < " + a, r -> r.number() != null && r.number() < a);
      case 1 -> new Filter("num == " + (a + 100), r -> false);
      case 2 ->
          new Filter(
              "num >= 10 and real <= 5.0",
              r -> r.number() != null && r.number() >= 10 && r.real() <= 5.0f);
      case 3 -> new Filter("text in [\"t1\", \"t4\"]", r -> r.text().matches("t[14]"));
      case 4 -> new Filter("pk in [" + keyText + "]", r -> r.key() == key);
      case 5 ->
          new Filter(
              "pk == " + keyText + " and num > 20",
              r -> r.key() == key && r.number() != null && r.number() > 20);
      default -> new Filter("", r -> true);
    };
  }

  private static void compare(History history, Segment segment) {
    for (int i = 0; i < 12; i++) {
      long readTs = 95L + history.rng.nextInt((int) history.tick - 90);
      long expired = history.rng.nextInt(3) == 0 ? readTs - history.rng.nextInt(100) : 0;
      Filter filter = filter(history);
      SegmentFilter compiled = SegmentFilter.compile(filter.text, history.schema);
      List<Integer> expected = history.visible(readTs, expired, filter);
      Selection selection =
          segment.select(
              new ReadPoint(new HybridTs(readTs), new HybridTs(Math.max(0, expired))), compiled);
      assertThat(selection.toRows())
          .as("%s at %d", filter.text, readTs)
          .containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
      assertThat(selection.cardinality()).isEqualTo(expected.size());
      compareKeyOrder(history, segment, selection, expected);
      compareSearch(history, segment, selection, expected);
    }
  }

  private static void compareKeyOrder(
      History history, Segment segment, Selection selection, List<Integer> visible) {
    Map<Long, Integer> newest = new HashMap<>();
    for (int row : visible) {
      newest.merge(history.rows.get(row).row.key(), row, Math::max);
    }
    Comparator<Integer> byKey =
        history.textKeys
            ? Comparator.comparing(r -> Samples.textKey(history.rows.get(r).row.key()))
            : Comparator.comparingLong(r -> history.rows.get(r).row.key());
    long limit = history.rng.nextInt(3) == 0 ? -1 : history.rng.nextInt(50);
    int[] expected =
        newest.values().stream()
            .sorted(byKey)
            .limit(limit < 0 ? Long.MAX_VALUE : limit)
            .mapToInt(Integer::intValue)
            .toArray();
    assertThat(segment.firstByKey(selection, limit)).containsExactly(expected);
  }

  private static void compareSearch(
      History history, Segment segment, Selection selection, List<Integer> visible) {
    float[] query = Samples.row(history.rng, 0).vector();
    int k = 1 + history.rng.nextInt(20);
    SearchSpec spec =
        new SearchSpec(Samples.VECTOR, MetricType.L2, Samples.DIM, query, k, Map.of());
    TopK[] outs = {new TopK()};
    segment.search(spec, selection, 0, 1, outs);
    double[] expected =
        visible.stream()
            .mapToDouble(row -> distance(query, history.rows.get(row).row.vector()))
            .sorted()
            .limit(k)
            .toArray();
    assertThat(outs[0].size()).isEqualTo(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) outs[0].scoreAt(i))
          .isCloseTo(expected[i], org.assertj.core.data.Offset.offset(1e-4));
      assertThat(visible).contains(outs[0].rowAt(i));
    }
  }

  private static double distance(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
  }

  private static void compareFetch(History history, Segment segment) {
    int[] rows = new int[Math.min(50, history.rows.size())];
    List<Samples.Row> expected = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      rows[i] = history.rng.nextInt(history.rows.size());
      expected.add(history.rows.get(rows[i]).row);
      assertThat(segment.rowTsAt(rows[i])).isEqualTo(history.rows.get(rows[i]).ts);
    }
    ColumnBatch fetched = segment.fetch(rows, history.schema.fields());
    ColumnBatch wanted = Samples.batch(expected, history.textKeys);
    wanted
        .columns()
        .forEach((id, column) -> {
          for (int i = 0; i < rows.length; i++) {
            assertThat(TestColumns.valueAt(fetched.column(id), i))
                .isEqualTo(TestColumns.valueAt(column, i));
          }
        });
    assertThat(segment.keysAt(rows))
        .isEqualTo(PrimaryKeys.ofColumn(Objects.requireNonNull(wanted.column(Samples.KEY))));
  }

  @Test
  void growingAndSealedSegmentsAgreeWithTheModelAtEveryTimestamp() {
    Seeds.forEach(
        "segment-model",
        12,
        rng -> {
          History history = new History(rng);
          int steps = 1 + rng.nextInt(60);
          for (int i = 0; i < steps; i++) {
            history.step();
            if (rng.nextInt(10) == 0) {
              compare(history, history.growing);
            }
          }
          compare(history, history.growing);
          if (!history.rows.isEmpty()) {
            compareFetch(history, history.growing);
          }
          SealedSegment sealed = history.seal();
          compare(history, sealed);
          if (!history.rows.isEmpty()) {
            compareFetch(history, sealed);
          }
          sealed.release();
          history.growing.release();
        });
  }
}
