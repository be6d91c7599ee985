package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Inverted lists: a search scores the rows of the `nprobe` lists whose centroids are nearest.
///
/// It goes on to further lists when those gave fewer than `k` hits, so a selective filter still
/// gets its rows; when the filter leaves fewer rows than `nprobe` lists hold, it is scanned
/// exactly. A range search goes on until two lists in a row gave nothing.
///
/// Thread-safe: immutable.
public final class IvfFlatIndex implements VectorIndex {
  /// `nprobe` when the caller gives none.
  private static final int DEFAULT_NPROBE = 8;

  private static final int EMPTY_LISTS_END_RANGE = 2;
  private static final int BATCH = 256;

  private final VectorRows rows;
  private final IvfLists lists;
  private final ScratchPool<Scratch> scratches = new ScratchPool<>(Scratch::new);

  IvfFlatIndex(VectorRows rows, IvfLists lists) {
    this.rows = rows;
    this.lists = lists;
  }

  @Override
  public IndexType type() {
    return IndexType.IVF_FLAT;
  }

  @Override
  public MetricType metric() {
    return rows.metric();
  }

  @Override
  public int dim() {
    return rows.dim();
  }

  @Override
  public int rows() {
    return rows.count();
  }

  @Override
  public Column vectors() {
    return rows.column();
  }

  @Override
  public long sizeBytes() {
    MemorySegment norms = rows.norms();
    return lists.sizeBytes() + (norms == null ? 0 : norms.byteSize());
  }

  VectorRows vectorRows() {
    return rows;
  }

  IvfLists lists() {
    return lists;
  }

  @Override
  public void search(
      float[] query,
      int queryOffset,
      int k,
      SearchParams params,
      @Nullable RowSet filter,
      TopK out) {
    RowSet set = filter == null || filter.isFull() ? null : filter;
    rows.checkFilter(filter);
    Scratch scratch = scratches.take();
    out.reset(k, rows.metric());
    scratch.queries.set(rows, query, queryOffset, out);
    int wanted = params.nprobe() > 0 ? params.nprobe() : DEFAULT_NPROBE;
    int nprobe = Math.min(wanted, lists.nlist);
    int matching = set == null ? rows.count() : set.cardinality();
    long probed = (long) rows.count() * nprobe / lists.nlist;
    try {
      if (matching <= Math.max(probed, k)) {
        ExactScan.scan(rows, params, set, scratch.queries, scratch);
      } else {
        probe(scratch, params, set, nprobe, out);
      }
    } finally {
      rows.keepAlive();
      java.lang.ref.Reference.reachabilityFence(lists);
    }
    out.finish();
    scratch.queries.clear();
    scratches.give(scratch);
  }

  private void probe(
      Scratch scratch, SearchParams params, @Nullable RowSet set, int nprobe, TopK out) {
    LongHeap order = order(scratch);
    int emptyInARow = 0;
    for (int probed = 0; !order.isEmpty(); probed++) {
      if (probed >= nprobe && isEnough(params, out, emptyInARow)) {
        break;
      }
      int list = HnswWalk.nodeOf(order.pop());
      boolean gaveHits = scan(scratch, params, set, list, out);
      emptyInARow = gaveHits ? 0 : emptyInARow + 1;
    }
  }

  private static boolean isEnough(SearchParams params, TopK out, int emptyInARow) {
    return params.isRange() ? emptyInARow >= EMPTY_LISTS_END_RANGE : out.isFull();
  }

  private LongHeap order(Scratch scratch) {
    scratch.ensureBatch(Math.max(BATCH, lists.nlist));
    lists.rank(scratch.queries.address(0), scratch.similarities);
    LongHeap order = scratch.candidates;
    order.clear();
    for (int i = 0; i < lists.nlist; i++) {
      order.push(HnswWalk.key(scratch.similarities[i], i));
    }
    return order;
  }

  /// Scores one list; true when a row of it was in the range (always, without one).
  private boolean scan(
      Scratch scratch, SearchParams params, @Nullable RowSet set, int list, TopK out) {
    int end = lists.start(list + 1);
    boolean inRange = false;
    for (int from = lists.start(list); from < end; from += BATCH) {
      int to = Math.min(end, from + BATCH);
      int n = set == null ? scoreAll(scratch, from, to) : scorePassing(scratch, set, from, to);
      ExactScan.offerGathered(rows, params, scratch.ids, scratch.similarities, n, out);
      inRange |= !params.isRange() || anyInRange(scratch, params, n);
    }
    return inRange;
  }

  private int scoreAll(Scratch scratch, int from, int to) {
    QueryBatch queries = scratch.queries;
    int n = to - from;
    lists.block(queries.address(0), queries.factor(0), from, n, scratch.similarities);
    for (int i = 0; i < n; i++) {
      scratch.ids[i] = lists.rowIdAt(from + i);
    }
    return n;
  }

  private int scorePassing(Scratch scratch, RowSet set, int from, int to) {
    QueryBatch queries = scratch.queries;
    int[] positions = scratch.moreIds;
    int n = 0;
    for (int at = from; at < to; at++) {
      int row = lists.rowIdAt(at);
      positions[n] = at;
      scratch.ids[n] = row;
      n += set.contains(row) ? 1 : 0;
    }
    lists.gather(queries.address(0), queries.factor(0), positions, n, scratch.similarities);
    return n;
  }

  private boolean anyInRange(Scratch scratch, SearchParams params, int n) {
    for (int i = 0; i < n; i++) {
      if (params.inRange(rows.score(scratch.similarities[i]), rows.metric())) {
        return true;
      }
    }
    return false;
  }
}
