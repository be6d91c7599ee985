package io.elanus.engine.segment;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.expr.eval.ColumnSource;
import io.elanus.engine.expr.tree.PrimaryKeyLookup;
import io.elanus.engine.index.vector.FlatIndex;
import io.elanus.engine.index.vector.RowSet;
import io.elanus.engine.index.vector.SearchParams;
import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.storage.object.ObjectStore;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A segment read in place from the object store's mapped files.
///
/// Opening checks the manifest, the sizes and the headers; blocks are verified before a column's
/// first use, or all at once by [#verifyAll]. Errors: SEGMENT_LOAD_FAILED for a missing object,
/// DATA_INTEGRITY for a damaged one, both naming it.
///
/// Thread-safe: files are immutable; deletes have one writer at a time; indexes are swapped whole.
public final class SealedSegment implements Segment {
  private static final int CACHED_FILTERS = 16;

  private final SegmentManifest manifest;
  private final Arena arena;
  private final Pins pins;
  private final Map<FieldId, MappedFile> files = new TreeMap<>();
  private final MappedFile keysFile;
  private final Map<FieldId, Column> columns = new ConcurrentHashMap<>();
  private final Map<FieldId, Zones> zones = new ConcurrentHashMap<>();
  private final Map<FlatKey, FlatIndex> flats = new ConcurrentHashMap<>();
  private final DeleteTicks deletes = new DeleteTicks();
  private final Object indexLock = new Object();
  private final ColumnSource source = new Source();
  private volatile Map<FieldId, VectorIndex> indexes = Map.of();
  private volatile @Nullable KeyIndex keyIndex;
  private volatile @Nullable Column stampColumn;

  private final AtomicReferenceArray<@Nullable FilterRows> filterRows =
      new AtomicReferenceArray<>(CACHED_FILTERS);
  private final AtomicInteger filtersCached = new AtomicInteger();

  private record FlatKey(FieldId field, MetricType metric) {}

  /// The rows that pass a filter, deleted ones included: they never change.
  private record FilterRows(SegmentFilter filter, RowSet rows) {}

  private SealedSegment(ObjectStore store, String path, SegmentManifest manifest, Arena arena) {
    this.manifest = manifest;
    this.arena = arena;
    this.pins = new Pins(arena::close);
    MappedFile keys = null;
    for (SegmentManifest.FileEntry entry : manifest.files()) {
      MappedFile file = MappedFile.open(store, path, entry, manifest.rows(), arena);
      if (entry.name().equals(SegmentFormat.KEYS)) {
        keys = file;
      } else {
        files.put(entry.field(), file);
      }
    }
    if (keys == null || !files.containsKey(CollectionSchema.TIMESTAMP)) {
      throw SegmentManifest.damaged(path, "keys or timestamps are not in the manifest");
    }
    this.keysFile = keys;
  }

  /// Maps a segment's files. Blocks. The opener holds it once: [#release] when done.
  @SuppressWarnings("MustBeClosedChecker") // The last holder closes the arena.
  public static SealedSegment open(ObjectStore store, String path) {
    String key = SegmentFormat.key(path, SegmentFormat.MANIFEST);
    SegmentManifest manifest = SegmentManifest.decode(key, ColumnFiles.getOrFail(store, key));
    Arena arena = Arena.ofShared();
    try {
      return new SealedSegment(store, path, manifest, arena);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /// Verifies every block of every file now, so that no read has to. Blocks.
  public void verifyAll() {
    keysFile.verify();
    files.values().forEach(MappedFile::verify);
  }

  @Override
  public int rows() {
    return manifest.rows();
  }

  public int schemaVersion() {
    return manifest.schemaVersion();
  }

  public HybridTs minTs() {
    return manifest.minTs();
  }

  public HybridTs maxTs() {
    return manifest.maxTs();
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
    long total = manifest.sizeBytes() + deletes.sizeBytes();
    for (VectorIndex index : indexes.values()) {
      total += index.sizeBytes();
    }
    return total;
  }

  /// The stored column of a field, in place; null when the segment is older than the field.
  public @Nullable Column column(FieldId field) {
    Column known = columns.get(field);
    if (known != null) {
      return known;
    }
    MappedFile file = files.get(field);
    return file == null ? null : columns.computeIfAbsent(field, id -> open(file));
  }

  private Column open(MappedFile file) {
    SegmentManifest.FileEntry entry = file.entry();
    var type = io.elanus.base.schema.DataType.ofNumber(entry.type());
    var data = file.sectionOrFail(SegmentManifest.DATA);
    var validity = file.section(SegmentManifest.VALIDITY);
    if (type.isVariableWidth()) {
      var offsets = file.sectionOrFail(SegmentManifest.OFFSETS);
      return Column.variable(type, rows(), data, offsets, validity);
    }
    if (data.byteSize() != (long) rows() * type.widthBytes(entry.dim())) {
      throw SegmentManifest.damaged(file.key(), "its data has the wrong length");
    }
    return Column.fixed(type, entry.dim(), rows(), data, validity);
  }

  /// All stored columns but the timestamps, in place: valid while the segment is held.
  public ColumnBatch columns() {
    Map<FieldId, Column> all = new TreeMap<>();
    for (FieldId id : files.keySet()) {
      if (!id.equals(CollectionSchema.TIMESTAMP)) {
        all.put(id, columnOrFail(id));
      }
    }
    return new ColumnBatch(rows(), all);
  }

  private Column columnOrFail(FieldId field) {
    Column column = column(field);
    Invariant.check(column != null, "segment has no field %s", field);
    return java.util.Objects.requireNonNull(column);
  }

  private Column timestamps() {
    Column known = stampColumn;
    if (known == null) {
      known = columnOrFail(CollectionSchema.TIMESTAMP);
      stampColumn = known;
    }
    return known;
  }

  private @Nullable Zones zonesOf(FieldId field) {
    Zones known = zones.get(field);
    if (known != null) {
      return known;
    }
    MappedFile file = files.get(field);
    if (file == null || !file.entry().has(SegmentManifest.ZONES)) {
      return null;
    }
    return zones.computeIfAbsent(field, id -> new Zones(file.sectionOrFail(SegmentManifest.ZONES)));
  }

  private KeyIndex keyIndex() {
    KeyIndex known = keyIndex;
    if (known == null) {
      var rows = keysFile.sectionOrFail(SegmentManifest.OFFSETS);
      var sorted = keysFile.section(SegmentManifest.DATA);
      known =
          sorted == null
              ? KeyIndex.ofTexts(columnOrFail(manifest.keyField()), rows)
              : KeyIndex.ofLongs(sorted, rows, rows());
      keyIndex = known;
    }
    return known;
  }

  /// Swaps in an index of a field. `maker` gets the vectors and an arena that lives as long as the
  /// segment. Running searches keep the one that they have.
  public void attachIndex(FieldId field, BiFunction<Column, Arena, VectorIndex> maker) {
    Column vectors = columnOrFail(field);
    VectorIndex index = maker.apply(vectors, arena);
    if (index.rows() != rows() || index.dim() != vectors.dim()) {
      throw SegmentManifest.damaged(
          "index of field " + field, index.rows() + " rows instead of " + rows());
    }
    synchronized (indexLock) {
      Map<FieldId, VectorIndex> next = new TreeMap<>(indexes);
      next.put(field, index);
      indexes = Map.copyOf(next);
    }
  }

  /// The index that searches of this field use; null when they scan.
  public @Nullable VectorIndex index(FieldId field) {
    return indexes.get(field);
  }

  private VectorIndex indexFor(FieldId field, MetricType metric) {
    VectorIndex index = indexes.get(field);
    if (index != null && index.metric() == metric) {
      return index;
    }
    return flats.computeIfAbsent(
        new FlatKey(field, metric), k -> FlatIndex.over(columnOrFail(k.field), k.metric));
  }

  @Override
  public void applyDeletes(PrimaryKeys keys, long[] ticks) {
    KeyIndex index = keyIndex();
    for (int i = 0; i < ticks.length; i++) {
      int at = index.lowerBound(keys, i);
      while (index.isAt(at, keys, i)) {
        int row = index.rowAt(at);
        if (Long.compareUnsigned(rowTsAt(row), ticks[i]) < 0) {
          deletes.add(row, ticks[i]);
        }
        at++;
      }
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
    return timestamps().longAt(row);
  }

  /// Whether the point covers the timestamps of all rows.
  private boolean coversAll(ReadPoint at) {
    return at.readTs().isAtLeast(manifest.maxTs()) && manifest.minTs().isAfter(at.expired());
  }

  private boolean coversNone(ReadPoint at) {
    return rows() == 0
        || manifest.minTs().isAfter(at.readTs())
        || at.expired().isAtLeast(manifest.maxTs());
  }

  @Override
  public Selection select(ReadPoint at, @Nullable SegmentFilter filter) {
    if (coversNone(at)) {
      return Selection.ofList(rows(), new int[0]);
    }
    if (filter != null && filter.lookup() != null) {
      return selectKeys(at, filter, filter.lookup());
    }
    RowSet visible = deletes.visible(rows(), at.readTs().value());
    boolean all = coversAll(at);
    if (filter == null && all) {
      return visible == null ? Selection.all(rows()) : Selection.of(visible);
    }
    RowSet passing = filter == null ? null : passing(filter);
    if (passing != null && visible == null && all) {
      return Selection.of(passing);
    }
    long[] words = passing == null ? RowSet.all(rows()).words() : passing.words().clone();
    if (visible != null) {
      long[] alive = visible.words();
      for (int w = 0; w < alive.length; w++) {
        words[w] &= alive[w];
      }
    }
    if (!all) {
      clearUncovered(words, at);
    }
    return Selection.of(RowSet.of(words, rows()));
  }

  private void clearUncovered(long[] words, ReadPoint at) {
    Column stamps = timestamps();
    for (int row = 0; row < rows(); row++) {
      if (!at.covers(stamps.longAt(row))) {
        words[row >> 6] &= ~(1L << row);
      }
    }
  }

  /// The rows that pass, from the last few filters' or evaluated now: a filter is often used again.
  private RowSet passing(SegmentFilter filter) {
    for (int i = 0; i < CACHED_FILTERS; i++) {
      FilterRows known = filterRows.get(i);
      if (known != null && known.filter == filter) {
        return known.rows;
      }
    }
    RowSet rows = RowSet.of(evaluate(filter), rows());
    int slot = Math.floorMod(filtersCached.getAndIncrement(), CACHED_FILTERS);
    filterRows.set(slot, new FilterRows(filter, rows));
    return rows;
  }

  /// Evaluates the predicate over runs of zones that may hold a match.
  private long[] evaluate(SegmentFilter filter) {
    int rows = rows();
    long[] words = new long[(rows + 63) >> 6];
    int zoneCount = (rows + SegmentFormat.ZONE_ROWS - 1) / SegmentFormat.ZONE_ROWS;
    int zone = 0;
    while (zone < zoneCount) {
      if (!mayMatch(filter, zone)) {
        zone++;
        continue;
      }
      int first = zone;
      while (zone < zoneCount && mayMatch(filter, zone)) {
        zone++;
      }
      int to = Math.min(rows, zone * SegmentFormat.ZONE_ROWS);
      filter.predicate().evaluate(source, first * SegmentFormat.ZONE_ROWS, to, words);
    }
    return words;
  }

  private boolean mayMatch(SegmentFilter filter, int zone) {
    for (ZoneTest test : filter.zoneTests()) {
      Zones of = zonesOf(test.field());
      if (of != null && !test.mayMatch(of, zone)) {
        return false;
      }
    }
    return true;
  }

  private Selection selectKeys(ReadPoint point, SegmentFilter filter, PrimaryKeyLookup lookup) {
    KeyIndex index = keyIndex();
    PrimaryKeys keys = lookup.keys();
    int[] found = new int[keys.size()];
    int n = 0;
    for (int i = 0; i < keys.size(); i++) {
      int at = index.lowerBound(keys, i);
      while (index.isAt(at, keys, i)) {
        int row = index.rowAt(at);
        if (isVisible(row, point)) {
          if (n == found.length) {
            found = Arrays.copyOf(found, 2 * n);
          }
          found[n++] = row;
        }
        at++;
      }
    }
    return KeyedRows.narrow(this, filter, rows(), found, n);
  }

  private boolean isVisible(int row, ReadPoint at) {
    if (!coversAll(at) && !at.covers(rowTsAt(row))) {
      return false;
    }
    if (deletes.isEmpty()) {
      return true;
    }
    long deleted = deletes.tickOf(row);
    return deleted == 0 || Long.compareUnsigned(deleted, at.readTs().value()) > 0;
  }

  @Override
  public void search(
      SearchSpec spec, Selection selection, int fromQuery, int toQuery, TopK[] outs) {
    if (selection.isEmpty()) {
      for (int q = fromQuery; q < toQuery; q++) {
        outs[q].reset(spec.k(), spec.metric());
        outs[q].finish();
      }
      return;
    }
    VectorIndex index = indexFor(spec.field(), spec.metric());
    if (index.dim() != spec.dim()) {
      throw DbException.invalid("vector dimension mismatch", index.dim(), spec.dim());
    }
    SearchParams params = spec.paramsFor(index.type());
    RowSet set = selection.asSet();
    if (toQuery - fromQuery == outs.length && outs.length > 1) {
      index.searchAll(spec.vectors(), spec.k(), params, set, outs);
    } else if (index instanceof FlatIndex && toQuery - fromQuery > 1) {
      int dim = spec.dim();
      float[] part = Arrays.copyOfRange(spec.vectors(), fromQuery * dim, toQuery * dim);
      TopK[] partOuts = Arrays.copyOfRange(outs, fromQuery, toQuery);
      index.searchAll(part, spec.k(), params, set, partOuts);
    } else {
      for (int q = fromQuery; q < toQuery; q++) {
        index.search(spec.vectors(), q * spec.dim(), spec.k(), params, set, outs[q]);
      }
    }
  }

  @Override
  public int[] firstByKey(Selection selection, long limit) {
    if (limit == 0 || selection.isEmpty()) {
      return new int[0];
    }
    int matching = selection.cardinality();
    if (matching < rows() / 16) {
      return KeyedRows.firstByKey(this, selection.toRows(), limit);
    }
    KeyIndex index = keyIndex();
    int[] first = new int[(int) (limit < 0 ? matching : Math.min(limit, matching))];
    int n = 0;
    int previous = -1;
    for (int at = 0; at < index.size; at++) {
      int row = index.rowAt(at);
      if (!selection.contains(row)) {
        continue;
      }
      if (n > 0 && index.isSameKey(previous, at)) {
        first[n - 1] = KeyedRows.newer(this, first[n - 1], row);
      } else if (n == first.length) {
        break;
      } else {
        first[n++] = row;
      }
      previous = at;
    }
    return Arrays.copyOf(first, n);
  }

  @Override
  public PrimaryKeys keysAt(int[] rows) {
    Column keys = columnOrFail(manifest.keyField());
    if (keys.offsets() == null) {
      long[] values = new long[rows.length];
      for (int i = 0; i < rows.length; i++) {
        values[i] = keys.longAt(rows[i]);
      }
      return PrimaryKeys.of(values);
    }
    String[] values = new String[rows.length];
    for (int i = 0; i < rows.length; i++) {
      values[i] = keys.textAt(rows[i]);
    }
    return PrimaryKeys.of(values);
  }

  @Override
  public FieldReader reader(FieldSchema field) {
    Column column = column(field.id());
    return column == null
        ? (row, to) -> Defaults.append(field, to)
        : (row, to) -> to.addFrom(column, row);
  }

  private final class Source implements ColumnSource {
    @Override
    public int rows() {
      return manifest.rows();
    }

    @Override
    public @Nullable Column column(FieldId id) {
      return SealedSegment.this.column(id);
    }
  }
}
