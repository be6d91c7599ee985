package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.NativeMemory;
import org.jspecify.annotations.Nullable;

/// Best-first walks over a graph by its vectors, shared by search and build; [CodedWalk] is the one
/// by codes.
///
/// The walk keeps its nodes in `scratch.pool` as keys: similarity bits (best smallest) above
/// [#EXPANDED] and the node. One pool serves as candidate queue and as result, because a candidate
/// that has fallen out of the best `ef` would never be expanded anyway.
///
/// Confined to the caller.
final class HnswWalk {
  /// Set in a key once the node's neighbours were looked at.
  static final long EXPANDED = 1L << 31;

  private static final int NODE_MASK = 0x7FFFFFFF;

  private final HnswGraph graph;
  private final VectorRows rows;
  private final Scratch scratch;
  private long query;
  private float factor;

  /// Set by [#descend].
  private int entryRow;

  private int entrySlot;
  private float entrySimilarity;

  HnswWalk(HnswGraph graph, VectorRows rows, Scratch scratch) {
    this.graph = graph;
    this.rows = rows;
    this.scratch = scratch;
    scratch.ensureBatch(Math.max(64, 4 * graph.width0));
  }

  /// The query all following calls are about.
  void aim(long queryAddress, float queryFactor) {
    query = queryAddress;
    factor = queryFactor;
  }

  static long key(float similarity, int node) {
    return (long) ~TopK.orderedBits(similarity) << 32 | node;
  }

  static float similarityOf(long key) {
    return TopK.ofOrderedBits(~(int) (key >> 32));
  }

  static int nodeOf(long key) {
    return (int) key & NODE_MASK;
  }

  int entryRow() {
    return entryRow;
  }

  int entrySlot() {
    return entrySlot;
  }

  float entrySimilarity() {
    return entrySimilarity;
  }

  /// Steepest ascent from the entry point down to `toLevel`, not searching that level itself.
  void descend(int toLevel) {
    entrySlot = graph.entrySlot;
    entryRow = entrySlot < 0 ? 0 : graph.rowOfSlot(entrySlot);
    entrySimilarity = rows.similarity(query, factor, entryRow);
    for (int level = graph.maxLevel; level > toLevel; level--) {
      boolean moved = true;
      while (moved) {
        moved = stepAt(level);
      }
    }
  }

  private boolean stepAt(int level) {
    int[] slots = scratch.moreIds;
    int[] ids = scratch.ids;
    float[] similarities = scratch.similarities;
    long list = graph.upperList(entrySlot, level);
    int n = 0;
    for (int i = 0; i < graph.m; i++) {
      int slot = NativeMemory.intAt(list + 4L * i);
      if (slot < 0) {
        break;
      }
      slots[n] = slot;
      ids[n++] = graph.rowOfSlot(slot);
    }
    rows.gather(query, factor, ids, n, similarities);
    boolean moved = false;
    for (int i = 0; i < n; i++) {
      if (similarities[i] > entrySimilarity) {
        entrySimilarity = similarities[i];
        entrySlot = slots[i];
        entryRow = ids[i];
        moved = true;
      }
    }
    return moved;
  }

  private void start(int node, float similarity, int nodes, int ef) {
    scratch.resetVisited(nodes);
    scratch.visited[node >> 6] |= 1L << node;
    scratch.pool.start(key(similarity, node), ef);
  }

  /// Walks level 0 from the entry that [#descend] found. The pool then holds up to `ef` rows.
  void walkLevel0(int ef) {
    start(entryRow, entrySimilarity, graph.rows, ef);
    int[] ids = scratch.ids;
    float[] similarities = scratch.similarities;
    SortedPool pool = scratch.pool;
    float floor = ef == 1 ? entrySimilarity : Float.NEGATIVE_INFINITY;
    int cursor = 0;
    while (cursor < pool.size) {
      long key = pool.keys[cursor];
      if ((key & EXPANDED) != 0) {
        cursor++;
        continue;
      }
      pool.keys[cursor++] = key | EXPANDED;
      int n = unvisitedNeighbours(nodeOf(key));
      rows.gather(query, factor, ids, n, similarities);
      for (int i = 0; i < n; i++) {
        if (similarities[i] > floor) {
          cursor = Math.min(cursor, pool.insert(key(similarities[i], ids[i])));
          if (pool.isFull()) {
            floor = similarityOf(pool.last());
          }
        }
      }
    }
  }

  private int unvisitedNeighbours(int row) {
    int[] ids = scratch.ids;
    long[] visited = scratch.visited;
    long list = graph.list0(row);
    int n = 0;
    for (int i = 0; i < graph.width0; i++) {
      int neighbour = NativeMemory.intAt(list + 4L * i);
      if (neighbour < 0) {
        break;
      }
      // Whether a neighbour was seen is a coin toss, so this is arithmetic instead of a branch.
      int at = neighbour >> 6;
      long word = visited[at];
      ids[n] = neighbour;
      n += (int) (~word >>> neighbour) & 1;
      visited[at] = word | 1L << neighbour;
    }
    return n;
  }

  /// Walks an upper level from the entry slot. The pool then holds slots.
  void walkUpper(int level, int ef) {
    start(entrySlot, entrySimilarity, graph.upperCount, ef);
    int[] slots = scratch.moreIds;
    int[] ids = scratch.ids;
    float[] similarities = scratch.similarities;
    SortedPool pool = scratch.pool;
    int cursor = 0;
    while (cursor < pool.size) {
      long key = pool.keys[cursor];
      if ((key & EXPANDED) != 0) {
        cursor++;
        continue;
      }
      pool.keys[cursor++] = key | EXPANDED;
      int n = unvisitedSlots(nodeOf(key), level);
      rows.gather(query, factor, ids, n, similarities);
      for (int i = 0; i < n; i++) {
        if (!pool.isFull() || similarities[i] > similarityOf(pool.last())) {
          cursor = Math.min(cursor, pool.insert(key(similarities[i], slots[i])));
        }
      }
    }
    entrySlot = nodeOf(pool.keys[0]);
    entryRow = graph.rowOfSlot(entrySlot);
    entrySimilarity = similarityOf(pool.keys[0]);
  }

  private int unvisitedSlots(int slot, int level) {
    long[] visited = scratch.visited;
    long list = graph.upperList(slot, level);
    int n = 0;
    for (int i = 0; i < graph.m; i++) {
      int neighbour = NativeMemory.intAt(list + 4L * i);
      if (neighbour < 0) {
        break;
      }
      long bit = 1L << neighbour;
      if ((visited[neighbour >> 6] & bit) == 0) {
        visited[neighbour >> 6] |= bit;
        scratch.moreIds[n] = neighbour;
        scratch.ids[n++] = graph.rowOfSlot(neighbour);
      }
    }
    return n;
  }

  /// Walks level 0 through passing rows only, reaching over failing neighbours to theirs. The pool
  /// then holds passing rows and perhaps the entry row, which need not pass.
  void walkTwoHop(RowSet filter, int ef) {
    start(entryRow, entrySimilarity, graph.rows, ef);
    int[] ids = scratch.ids;
    float[] similarities = scratch.similarities;
    SortedPool pool = scratch.pool;
    float floor = Float.NEGATIVE_INFINITY;
    int cursor = 0;
    while (cursor < pool.size) {
      long key = pool.keys[cursor];
      if ((key & EXPANDED) != 0) {
        cursor++;
        continue;
      }
      pool.keys[cursor++] = key | EXPANDED;
      int n = passingWithinTwoHops(nodeOf(key), filter);
      rows.gather(query, factor, ids, n, similarities);
      for (int i = 0; i < n; i++) {
        if (similarities[i] > floor) {
          cursor = Math.min(cursor, pool.insert(key(similarities[i], ids[i])));
          if (pool.isFull()) {
            floor = similarityOf(pool.last());
          }
        }
      }
    }
  }

  private int passingWithinTwoHops(int row, RowSet filter) {
    int[] ids = scratch.ids;
    long[] visited = scratch.visited;
    int limit = 2 * graph.width0;
    long list = graph.list0(row);
    int n = 0;
    for (int i = 0; i < graph.width0 && n < limit; i++) {
      int neighbour = NativeMemory.intAt(list + 4L * i);
      if (neighbour < 0) {
        break;
      }
      long bit = 1L << neighbour;
      if ((visited[neighbour >> 6] & bit) != 0) {
        continue;
      }
      visited[neighbour >> 6] |= bit;
      if (filter.contains(neighbour)) {
        ids[n++] = neighbour;
      } else {
        n = addPassing(neighbour, filter, n, limit);
      }
    }
    return n;
  }

  private int addPassing(int through, RowSet filter, int from, int limit) {
    int[] ids = scratch.ids;
    long[] visited = scratch.visited;
    long list = graph.list0(through);
    int n = from;
    for (int i = 0; i < graph.width0 && n < limit; i++) {
      int neighbour = NativeMemory.intAt(list + 4L * i);
      if (neighbour < 0) {
        break;
      }
      long bit = 1L << neighbour;
      if ((visited[neighbour >> 6] & bit) == 0 && filter.contains(neighbour)) {
        visited[neighbour >> 6] |= bit;
        ids[n++] = neighbour;
      }
    }
    return n;
  }

  /// Walks level 0 through all rows and keeps the best `ef` that pass filter and range in
  /// `scratch.found`. The walk goes on while it can still improve those, or, in a range search,
  /// while it is inside the range or among the best `ef` rows of any kind. False when it gave up
  /// after scoring more than `budget` rows.
  boolean walkKeeping(@Nullable RowSet filter, SearchParams params, int ef, int budget) {
    TopK found = scratch.found;
    found.reset(ef, rows.metric());
    LongHeap candidates = scratch.candidates;
    candidates.clear();
    start(entryRow, entrySimilarity, graph.rows, ef);
    keep(entryRow, entrySimilarity, filter, params);
    SortedPool pool = scratch.pool;
    candidates.push(pool.keys[0]);
    int[] ids = scratch.ids;
    float[] similarities = scratch.similarities;
    int scored = 0;
    while (!candidates.isEmpty()) {
      long key = candidates.pop();
      if (isHopeless(similarityOf(key), params)) {
        break;
      }
      int n = unvisitedNeighbours(nodeOf(key));
      scored += n;
      if (scored > budget) {
        return false;
      }
      rows.gather(query, factor, ids, n, similarities);
      for (int i = 0; i < n; i++) {
        if (!isHopeless(similarities[i], params)) {
          long next = key(similarities[i], ids[i]);
          candidates.push(next);
          if (params.isRange() && (!pool.isFull() || next < pool.last())) {
            pool.insert(next);
          }
          keep(ids[i], similarities[i], filter, params);
        }
      }
    }
    return true;
  }

  private void keep(int row, float similarity, @Nullable RowSet filter, SearchParams params) {
    if (filter == null || filter.contains(row)) {
      float score = rows.score(similarity);
      if (params.inRange(score, rows.metric())) {
        scratch.found.offer(row, score);
      }
    }
  }

  /// Whether neither a row of this similarity nor what lies behind it can improve the result.
  private boolean isHopeless(float similarity, SearchParams params) {
    TopK found = scratch.found;
    if (found.isFull()) {
      float worst = found.worstScore();
      return similarity < (rows.metric().isLargerBetter() ? worst : -worst);
    }
    SortedPool pool = scratch.pool;
    if (!params.isRange() || !pool.isFull() || similarity > similarityOf(pool.last())) {
      return false;
    }
    float bound = rows.metric().isLargerBetter() ? params.radius() : -params.radius();
    return similarity < bound;
  }
}
