package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.expr.tree.PrimaryKeyLookup;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.engine.index.vector.RowSet;
import io.elanus.engine.index.vector.TopK;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows as they arrive, in off-heap chunks that double in size, searched by scanning.
///
/// Rows and deletes come in the order of their ticks: a delete hits rows that are here already and
/// are older than it; a row that comes later is never older. So the rows visible at a timestamp are
/// a prefix less the deleted ones, and readers only need the published number of rows.
///
/// Thread-safe: one writer at a time; readers see the rows that were published before they asked.
public final class GrowingSegment implements Segment {
  private static final int FIRST_CHUNK_ROWS = 256;
  private static final int MAX_CHUNK_ROWS = 1 << 16;

  private final CollectionSchema schema;
  private final List<FieldSchema> fields;
  private final FieldSchema keyField;
  private final boolean textKeys;
  private final Arena arena = Arena.ofShared();
  private final Pins pins = new Pins(arena::close);
  private final KeyTable keys = new KeyTable();
  private final DeleteTicks deletes = new DeleteTicks();
  private volatile GrowingChunk[] chunks = {};
  private volatile int rows;
  private long lastTs;
  private long lastDeleteTick;

  /// An empty segment with the fields of `schema`.
  public GrowingSegment(CollectionSchema schema) {
    this.schema = schema;
    List<FieldSchema> sorted = new ArrayList<>(schema.fields());
    sorted.sort(Comparator.comparing(FieldSchema::id));
    this.fields = List.copyOf(sorted);
    this.keyField = schema.primaryKey();
    this.textKeys = keyField.type() != DataType.INT64;
  }

  /// The schema its rows were checked against.
  public CollectionSchema schema() {
    return schema;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public boolean retain() {
    return pins.retain();
  }

  @Override
  public void release() {
    pins.release();
  }

  @Override
  public long memoryBytes() {
    long total = keys.sizeBytes() + deletes.sizeBytes();
    for (GrowingChunk chunk : chunks) {
      total += chunk.bytesHeld();
    }
    return total;
  }

  /// Copies rows that become visible at `ts`, which is not below that of earlier rows and deletes.
  /// Writer only.
  public void append(ColumnBatch batch, HybridTs ts) {
    boolean inOrder =
        Long.compareUnsigned(ts.value(), lastTs) >= 0
            && Long.compareUnsigned(ts.value(), lastDeleteTick) >= 0;
    Invariant.check(inOrder, "rows at %s behind rows at %s", ts, new HybridTs(lastTs));
    lastTs = ts.value();
    int first = rows;
    int done = 0;
    while (done < batch.rows()) {
      GrowingChunk chunk = chunkFor(first + done);
      int at = first + done - chunk.firstRow;
      int count = Math.min(batch.rows() - done, chunk.capacity - at);
      chunk.append(batch, fields, new GrowingChunk.Slice(done, count, at), ts.value());
      done += count;
    }
    Column keyColumn = batch.column(keyField.id());
    if (keyColumn == null) {
      throw DbException.described(ErrorCode.SERVICE_INTERNAL, "rows without primary keys");
    }
    for (int i = 0; i < batch.rows(); i++) {
      keys.add(textKeys ? hash(keyColumn, i) : keyColumn.longAt(i), first + i);
    }
    rows = first + batch.rows();
  }

  private GrowingChunk chunkFor(int row) {
    GrowingChunk[] now = chunks;
    if (now.length > 0) {
      GrowingChunk last = now[now.length - 1];
      if (row < last.firstRow + last.capacity) {
        return last;
      }
    }
    int capacity = Math.clamp(row, FIRST_CHUNK_ROWS, MAX_CHUNK_ROWS);
    GrowingChunk next = new GrowingChunk(fields, row, capacity, arena);
    GrowingChunk[] more = Arrays.copyOf(now, now.length + 1);
    more[now.length] = next;
    chunks = more;
    return next;
  }

  private static long hash(Column column, int row) {
    MemorySegment data = column.data();
    int from = column.offsetAt(row);
    int to = column.offsetAt(row + 1);
    long hash = 0xcbf29ce484222325L;
    for (int i = from; i < to; i++) {
      hash = (hash ^ data.get(ValueLayout.JAVA_BYTE, i)) * 0x100000001b3L;
    }
    return hash;
  }

  private static long hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : bytes) {
      hash = (hash ^ b) * 0x100000001b3L;
    }
    return hash;
  }

  private GrowingChunk chunkOf(int row) {
    GrowingChunk[] now = chunks;
    int low = 0;
    int high = now.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (now[middle].firstRow <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return now[low];
  }

  /// Writer only, like [#append].
  @Override
  public void applyDeletes(PrimaryKeys deleted, long[] ticks) {
    for (int i = 0; i < ticks.length; i++) {
      long tick = ticks[i];
      if (Long.compareUnsigned(tick, lastDeleteTick) > 0) {
        lastDeleteTick = tick;
      }
      Lookup lookup = new Lookup(deleted, i);
      for (int row = lookup.next(); row >= 0; row = lookup.next()) {
        long known = deletes.tickOf(row);
        if (known != 0 && Long.compareUnsigned(known, tick) <= 0) {
          break; // Older rows of the key were hit by that delete too.
        }
        if (Long.compareUnsigned(rowTsAt(row), tick) < 0) {
          deletes.add(row, tick);
        }
      }
    }
  }

  /// Walks the rows of one key, newest first.
  private final class Lookup {
    private final byte @Nullable [] text;
    private int row;

    Lookup(PrimaryKeys of, int index) {
      switch (of) {
        case PrimaryKeys.Longs(long[] values) -> {
          text = null;
          row = keys.newest(values[index]);
        }
        case PrimaryKeys.Texts(String[] values) -> {
          text = values[index].getBytes(StandardCharsets.UTF_8);
          row = keys.newest(hash(text));
        }
      }
    }

    int next() {
      while (row >= 0) {
        int found = row;
        row = keys.olderThan(found);
        if (text == null || isText(found, text)) {
          return found;
        }
      }
      return -1;
    }

    private boolean isText(int found, byte[] wanted) {
      GrowingChunk chunk = chunkOf(found);
      int index = found - chunk.firstRow;
      Column column = chunk.column(chunk.slotOf(keyField.id())).view(index + 1);
      long from = column.offsetAt(index);
      return column.lengthBytesAt(index) == wanted.length
          && MemorySegment.mismatch(
                  column.data(),
                  from,
                  from + wanted.length,
                  MemorySegment.ofArray(wanted),
                  0,
                  wanted.length)
              < 0;
    }
  }

  @Override
  public int deletedRows() {
    return deletes.count();
  }

  @Override
  public long deleteTickAt(int row) {
    return deletes.tickOf(row);
  }

  @Override
  public long rowTsAt(int row) {
    GrowingChunk chunk = chunkOf(row);
    return chunk.tsAt(row - chunk.firstRow);
  }

  /// How many of the first `count` rows have a timestamp up to `ts`: they are the first ones.
  private int prefix(int count, long ts) {
    if (count == 0 || Long.compareUnsigned(rowTsAt(count - 1), ts) <= 0) {
      return count;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(rowTsAt(middle), ts) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public Selection select(ReadPoint at, @Nullable SegmentFilter filter) {
    int bound = prefix(rows, at.readTs().value());
    if (bound == 0) {
      return Selection.all(0);
    }
    int first = at.expired().value() == 0 ? 0 : prefix(bound, at.expired().value());
    if (filter != null && filter.lookup() != null) {
      return selectKeys(at.readTs().value(), first, bound, filter);
    }
    if (filter == null && first == 0 && deletes.isEmpty()) {
      return Selection.all(bound);
    }
    long[] words = filter == null ? RowSet.all(bound).words() : evaluate(filter, bound);
    clearBefore(words, first);
    deletes.clearDeleted(words, bound, at.readTs().value());
    return Selection.of(RowSet.of(words, bound));
  }

  private static void clearBefore(long[] words, int first) {
    int whole = first >> 6;
    Arrays.fill(words, 0, whole, 0);
    if ((first & 63) != 0) {
      words[whole] &= -1L << first;
    }
  }

  private long[] evaluate(SegmentFilter filter, int bound) {
    long[] words = new long[(bound + 63) >> 6];
    for (GrowingChunk chunk : chunks) {
      int count = Math.min(chunk.capacity, bound - chunk.firstRow);
      if (count <= 0) {
        break;
      }
      long[] bits = filter.predicate().evaluate(chunk.source(count));
      System.arraycopy(bits, 0, words, chunk.firstRow >> 6, bits.length);
    }
    return words;
  }

  private Selection selectKeys(long readTs, int first, int bound, SegmentFilter filter) {
    PrimaryKeyLookup lookup = java.util.Objects.requireNonNull(filter.lookup());
    PrimaryKeys wanted = lookup.keys();
    int[] found = new int[wanted.size()];
    int n = 0;
    for (int i = 0; i < wanted.size(); i++) {
      Lookup rowsOfKey = new Lookup(wanted, i);
      for (int row = rowsOfKey.next(); row >= 0; row = rowsOfKey.next()) {
        if (row < first || row >= bound || isDeleted(row, readTs)) {
          continue;
        }
        if (n == found.length) {
          found = Arrays.copyOf(found, 2 * n);
        }
        found[n++] = row;
      }
    }
    return KeyedRows.narrow(this, filter, bound, found, n);
  }

  private boolean isDeleted(int row, long readTs) {
    if (deletes.isEmpty()) {
      return false;
    }
    long tick = deletes.tickOf(row);
    return tick != 0 && Long.compareUnsigned(tick, readTs) <= 0;
  }

  @Override
  public void search(
      SearchSpec spec, Selection selection, int fromQuery, int toQuery, TopK[] outs) {
    for (int q = fromQuery; q < toQuery; q++) {
      outs[q].reset(spec.k(), spec.metric());
    }
    if (!selection.isEmpty()) {
      scan(spec, selection, fromQuery, toQuery, outs);
    }
    for (int q = fromQuery; q < toQuery; q++) {
      outs[q].finish();
    }
  }

  private void scan(SearchSpec spec, Selection selection, int fromQuery, int toQuery, TopK[] outs) {
    FieldSchema field = schema.field(spec.field());
    if (field == null || field.type() != DataType.FLOAT_VECTOR) {
      throw DbException.described(
          ErrorCode.UNIMPLEMENTED, "search over field " + spec.field() + " of growing segments");
    }
    if (field.dim() != spec.dim()) {
      throw DbException.invalid("vector dimension mismatch", field.dim(), spec.dim());
    }
    RowSet set = selection.asSet();
    GrowingScan scan = GrowingScan.take();
    scan.start(spec, spec.paramsFor(IndexType.FLAT), fromQuery, toQuery);
    for (GrowingChunk chunk : chunks) {
      int count = Math.min(chunk.capacity, selection.bound() - chunk.firstRow);
      if (count <= 0) {
        break;
      }
      GrowingColumn column = chunk.column(chunk.slotOf(field.id()));
      scan.scan(chunk, column, count, set, outs, fromQuery);
    }
    scan.give();
  }

  @Override
  public int[] firstByKey(Selection selection, long limit) {
    if (limit == 0 || selection.isEmpty()) {
      return new int[0];
    }
    return KeyedRows.firstByKey(this, selection.toRows(), limit);
  }

  @Override
  public PrimaryKeys keysAt(int[] wanted) {
    ChunkCursor cursor = new ChunkCursor(keyField.id());
    if (textKeys) {
      String[] values = new String[wanted.length];
      for (int i = 0; i < wanted.length; i++) {
        values[i] = cursor.columnAt(wanted[i]).textAt(cursor.index());
      }
      return PrimaryKeys.of(values);
    }
    long[] values = new long[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      values[i] = cursor.columnAt(wanted[i]).longAt(cursor.index());
    }
    return PrimaryKeys.of(values);
  }

  @Override
  public FieldReader reader(FieldSchema field) {
    boolean isHere = schema.field(field.id()) != null;
    if (!isHere) {
      return (row, to) -> Defaults.append(field, to);
    }
    ChunkCursor cursor = new ChunkCursor(field.id());
    return (row, to) -> to.addFrom(cursor.columnAt(row), cursor.index());
  }

  /// Finds a field's column for a row, quickly for rows near the last one.
  private final class ChunkCursor {
    private final FieldId field;
    private @Nullable GrowingChunk chunk;
    private @Nullable Column column;
    private int index;

    ChunkCursor(FieldId field) {
      this.field = field;
    }

    Column columnAt(int row) {
      GrowingChunk at = chunk;
      Column known = column;
      if (at == null || known == null || row < at.firstRow || row - at.firstRow >= known.rows()) {
        at = chunkOf(row);
        known = at.column(at.slotOf(field)).view(Math.min(at.capacity, rows - at.firstRow));
        chunk = at;
        column = known;
      }
      index = row - at.firstRow;
      return known;
    }

    int index() {
      return index;
    }
  }
}
