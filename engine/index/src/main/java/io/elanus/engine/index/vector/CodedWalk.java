package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.CodeKernels;
import io.elanus.engine.index.vector.kernel.NativeMemory;

/// A best-first walk over [NeighbourCodes]: neighbours are ranked by their codes, and only the rows
/// that end in the pool are scored by their vectors.
///
/// Keys of the pool hold `0x7FFF - code score` above the row, [HnswWalk#EXPANDED] as there.
///
/// Confined to the caller.
final class CodedWalk {
  private static final CodeKernels KERNELS = CodeKernels.BEST;
  private static final int BEST_SCORE = 0x7FFF;
  private static final int RERANKED_AT_ONCE = 64;

  private final NeighbourCodes codes;
  private final VectorRows rows;
  private final Scratch scratch;

  CodedWalk(NeighbourCodes codes, VectorRows rows, Scratch scratch) {
    this.codes = codes;
    this.rows = rows;
    this.scratch = scratch;
    scratch.ensureBatch(RERANKED_AT_ONCE);
    scratch.ensureCodes(codes);
  }

  /// Walks from `entryRow` and offers the best `ef` rows by code, and the entry, with their true
  /// scores.
  void search(int entryRow, int ef, TopK out) {
    long query = scratch.queries.address(0);
    codes.fillTable(query, rows.isL2(), scratch);
    walk(entryRow, ef);
    rerank(out);
  }

  private void walk(int entryRow, int ef) {
    scratch.resetVisited(rows.count());
    long[] visited = scratch.visited;
    visited[entryRow >> 6] |= 1L << entryRow;
    // The entry's own code is in none of its lists: it takes a place of its own, ahead of all.
    SortedPool pool = scratch.pool;
    pool.start(entryRow, ef + 1);
    byte[] table = scratch.codeTable;
    short[] scores = scratch.codeScores;
    int floor = -1;
    int cursor = 0;
    while (cursor < pool.size) {
      long key = pool.keys[cursor];
      if ((key & HnswWalk.EXPANDED) != 0) {
        cursor++;
        continue;
      }
      pool.keys[cursor++] = key | HnswWalk.EXPANDED;
      long block = codes.block(HnswWalk.nodeOf(key));
      touch(block);
      for (int group = 0; group < codes.groups; group++) {
        long at = codes.codes(block, group);
        CodeKernels.Group lanes = new CodeKernels.Group(at, codes.subspaces);
        int above = KERNELS.scoreGroup(lanes, table, floor, scores, 16 * group);
        while (above != 0) {
          int i = 16 * group + Integer.numberOfTrailingZeros(above);
          above &= above - 1;
          int row = NeighbourCodes.linkAt(block, i);
          if (row < 0) {
            break;
          }
          if (scores[i] > floor && (visited[row >> 6] >>> row & 1) == 0) {
            visited[row >> 6] |= 1L << row;
            long next = (long) (BEST_SCORE - scores[i]) << 32 | row;
            cursor = Math.min(cursor, pool.insert(next));
            floor = pool.isFull() ? BEST_SCORE - (int) (pool.last() >>> 32) : -1;
          }
        }
      }
    }
  }

  /// Reads a word of each line of a block, so that their cache misses overlap: the kernel's own
  /// loads wait for one another's sums.
  private void touch(long block) {
    long sum = 0;
    for (int at = 0; at < codes.blockBytes; at += 64) {
      sum += NativeMemory.intAt(block + at);
    }
    scratch.touched += sum;
  }

  private void rerank(TopK out) {
    QueryBatch queries = scratch.queries;
    SortedPool pool = scratch.pool;
    for (int from = 0; from < pool.size; from += RERANKED_AT_ONCE) {
      int n = Math.min(RERANKED_AT_ONCE, pool.size - from);
      for (int i = 0; i < n; i++) {
        scratch.ids[i] = HnswWalk.nodeOf(pool.keys[from + i]);
      }
      rows.gather(queries.address(0), queries.factor(0), scratch.ids, n, scratch.similarities);
      ExactScan.offerGathered(
          rows, SearchParams.DEFAULT, scratch.ids, scratch.similarities, n, out);
    }
  }
}
