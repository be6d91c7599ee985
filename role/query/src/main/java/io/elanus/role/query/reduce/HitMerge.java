package io.elanus.role.query.reduce;

import io.elanus.base.column.PrimaryKeys;
import java.util.Arrays;
import java.util.List;

/// k-way merge of hits: by score, then primary key ascending; of a key only its best hit, of hits
/// with equal scores the newest (search contract, section 3).
///
/// Sources are compared head by head: a shard has few of them, and a heap costs more below about
/// 30.
///
/// Confined to the caller.
public final class HitMerge {
  private final HitSource[] sources;
  private final PrimaryKeys[] keys;
  private final int[] at;
  private final int[] counts;
  private final boolean largerIsBetter;
  private final boolean textKeys;
  private final int k;

  private float[] scores;
  private int[] fromSource;
  private int[] rows;
  private long[] rowTs;
  private long[] longKeys;
  private String[] texts;
  private int size;

  private HitMerge(HitSource[] sources, int k, boolean largerIsBetter, boolean textKeys) {
    this.sources = sources;
    this.keys = new PrimaryKeys[sources.length];
    this.at = new int[sources.length];
    this.counts = new int[sources.length];
    this.k = k;
    this.largerIsBetter = largerIsBetter;
    this.textKeys = textKeys;
    this.scores = new float[0];
    this.fromSource = new int[0];
    this.rows = new int[0];
    this.rowTs = new long[0];
    this.longKeys = new long[0];
    this.texts = new String[0];
  }

  /// The best `k` hits of each of `nq` queries. `textKeys` says which kind the primary keys are.
  public static MergedHits merge(
      List<? extends HitSource> sources, int nq, int k, boolean largerIsBetter, boolean textKeys) {
    HitMerge merge = new HitMerge(sources.toArray(new HitSource[0]), k, largerIsBetter, textKeys);
    int[] perQuery = new int[nq];
    for (int q = 0; q < nq; q++) {
      perQuery[q] = merge.mergeQuery(q, nq - q);
    }
    return merge.result(perQuery);
  }

  private int mergeQuery(int query, int queriesLeft) {
    int available = 0;
    for (int s = 0; s < sources.length; s++) {
      at[s] = 0;
      counts[s] = sources[s].count(query);
      available += counts[s];
      if (counts[s] > 0) {
        keys[s] = sources[s].keysOf(query);
      }
    }
    int wanted = Math.min(k, available);
    room(wanted, queriesLeft);
    int first = size;
    KeySet seen = new KeySet(first, wanted);
    while (size - first < wanted) {
      int best = bestHead(query);
      if (best < 0) {
        break;
      }
      take(query, best, seen);
    }
    orderTies(first);
    return size - first;
  }

  /// Sources order equal scores by row; runs of them are put in key order here.
  private void orderTies(int first) {
    for (int from = first; from < size; ) {
      int to = from + 1;
      while (to < size && scores[to] == scores[from]) {
        to++;
      }
      if (to - from > 1 && !isOrdered(from, to)) {
        orderRun(from, to);
      }
      from = to;
    }
  }

  private int compareTaken(int a, int b) {
    return textKeys
        ? PrimaryKeys.compareUtf8(texts[a], texts[b])
        : Long.compare(longKeys[a], longKeys[b]);
  }

  private boolean isOrdered(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (compareTaken(i - 1, i) > 0) {
        return false;
      }
    }
    return true;
  }

  private void orderRun(int from, int to) {
    Integer[] order = new Integer[to - from];
    for (int i = 0; i < order.length; i++) {
      order[i] = from + i;
    }
    Arrays.sort(order, this::compareTaken);
    int[] oldSources = Arrays.copyOfRange(fromSource, from, to);
    int[] oldRows = Arrays.copyOfRange(rows, from, to);
    long[] oldTs = Arrays.copyOfRange(rowTs, from, to);
    long[] oldKeys = textKeys ? longKeys : Arrays.copyOfRange(longKeys, from, to);
    String[] oldTexts = textKeys ? Arrays.copyOfRange(texts, from, to) : texts;
    for (int i = 0; i < order.length; i++) {
      int old = order[i] - from;
      fromSource[from + i] = oldSources[old];
      rows[from + i] = oldRows[old];
      rowTs[from + i] = oldTs[old];
      if (textKeys) {
        texts[from + i] = oldTexts[old];
      } else {
        longKeys[from + i] = oldKeys[old];
      }
    }
  }

  private void room(int more, int queriesLeft) {
    if (size + more > scores.length) {
      int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, size + (long) more * queriesLeft);
      capacity = Math.max(capacity, size + more);
      scores = Arrays.copyOf(scores, capacity);
      fromSource = Arrays.copyOf(fromSource, capacity);
      rows = Arrays.copyOf(rows, capacity);
      rowTs = Arrays.copyOf(rowTs, capacity);
      if (textKeys) {
        texts = Arrays.copyOf(texts, capacity);
      } else {
        longKeys = Arrays.copyOf(longKeys, capacity);
      }
    }
  }

  /// The source whose next hit is best, -1 when all are used up.
  private int bestHead(int query) {
    int best = -1;
    float bestScore = 0;
    for (int s = 0; s < sources.length; s++) {
      if (at[s] >= counts[s]) {
        continue;
      }
      float score = sources[s].scoreAt(query, at[s]);
      if (best < 0 || isBetter(score, bestScore)) {
        best = s;
        bestScore = score;
      } else if (score == bestScore && compareHeads(query, s, best) < 0) {
        best = s;
      }
    }
    return best;
  }

  private boolean isBetter(float a, float b) {
    return largerIsBetter ? a > b : a < b;
  }

  private int compareHeads(int query, int a, int b) {
    int byKey = PrimaryKeys.compare(keys[a], at[a], keys[b], at[b]);
    if (byKey != 0) {
      return byKey;
    }
    return Long.compareUnsigned(sources[b].rowTsAt(query, at[b]), sources[a].rowTsAt(query, at[a]));
  }

  private void take(int query, int source, KeySet seen) {
    int rank = at[source]++;
    switch (keys[source]) {
      case PrimaryKeys.Longs(long[] values) -> longKeys[size] = values[rank];
      case PrimaryKeys.Texts(String[] values) -> texts[size] = values[rank];
    }
    if (!seen.addLast()) {
      return;
    }
    scores[size] = sources[source].scoreAt(query, rank);
    fromSource[size] = source;
    rows[size] = sources[source].rowAt(query, rank);
    rowTs[size] = sources[source].rowTsAt(query, rank);
    size++;
  }

  /// The keys taken for one query. Few are compared one by one, many are hashed.
  private final class KeySet {
    private static final int SCAN = 24;

    private final int first;
    private final int wanted;
    private int[] slots = {};

    KeySet(int first, int wanted) {
      this.first = first;
      this.wanted = wanted;
    }

    /// Adds the key that was written at `size`; false when it is there already.
    boolean addLast() {
      if (wanted <= SCAN) {
        for (int i = first; i < size; i++) {
          if (isSame(i, size)) {
            return false;
          }
        }
        return true;
      }
      if (slots.length == 0) {
        slots = new int[Integer.highestOneBit(4 * wanted)];
      }
      int mask = slots.length - 1;
      int slot = hash(size) & mask;
      while (slots[slot] != 0) {
        if (isSame(slots[slot] - 1, size)) {
          return false;
        }
        slot = (slot + 1) & mask;
      }
      slots[slot] = size + 1;
      return true;
    }

    private boolean isSame(int a, int b) {
      return textKeys ? texts[a].equals(texts[b]) : longKeys[a] == longKeys[b];
    }

    private int hash(int index) {
      long mixed = (textKeys ? texts[index].hashCode() : longKeys[index]) * 0x9E3779B97F4A7C15L;
      return (int) (mixed >>> 32);
    }
  }

  private MergedHits result(int[] perQuery) {
    boolean exact = size == scores.length;
    PrimaryKeys merged =
        textKeys
            ? new PrimaryKeys.Texts(texts.length == size ? texts : Arrays.copyOf(texts, size))
            : new PrimaryKeys.Longs(
                longKeys.length == size ? longKeys : Arrays.copyOf(longKeys, size));
    return new MergedHits(
        perQuery,
        merged,
        exact ? scores : Arrays.copyOf(scores, size),
        exact ? fromSource : Arrays.copyOf(fromSource, size),
        exact ? rows : Arrays.copyOf(rows, size),
        exact ? rowTs : Arrays.copyOf(rowTs, size));
  }
}
