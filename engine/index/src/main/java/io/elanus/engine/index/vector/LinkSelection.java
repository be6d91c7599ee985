package io.elanus.engine.index.vector;

/// Chooses which candidates a node keeps as neighbours: from best to worst, a candidate stays when
/// no kept one is nearer to it than the node is (Malkov and Yashunin, algorithm 4, nothing kept
/// back).
///
/// Whether of two candidates the nearer one shadows the other does not change over time. So links
/// that came out of one selection together ("diverse") are never compared with one another again,
/// which saves most of the work when a full list takes one more link.
///
/// Confined to the caller.
final class LinkSelection {
  private static final int BATCH = 4;

  private final VectorRows rows;
  private final float[] similarities = new float[BATCH];
  private final int[] batch = new int[BATCH];
  int[] ids;
  int[] rowIds;
  float[] sims;
  boolean[] diverse;
  int count;
  private int[] kept;

  LinkSelection(VectorRows rows, int capacity) {
    this.rows = rows;
    ids = new int[capacity];
    rowIds = new int[capacity];
    sims = new float[capacity];
    diverse = new boolean[capacity];
    kept = new int[capacity];
  }

  void clear(int capacity) {
    count = 0;
    if (ids.length < capacity) {
      ids = new int[capacity];
      rowIds = new int[capacity];
      sims = new float[capacity];
      diverse = new boolean[capacity];
      kept = new int[capacity];
    }
  }

  /// Appends a candidate; the caller appends in falling order of similarity.
  void add(int id, int row, float similarity, boolean isDiverse) {
    ids[count] = id;
    rowIds[count] = row;
    sims[count] = similarity;
    diverse[count++] = isDiverse;
  }

  /// Inserts a candidate behind those that are as good or better.
  void addSorted(int id, int row, float similarity) {
    int at = count++;
    while (at > 0 && sims[at - 1] < similarity) {
      ids[at] = ids[at - 1];
      rowIds[at] = rowIds[at - 1];
      sims[at] = sims[at - 1];
      diverse[at] = diverse[at - 1];
      at--;
    }
    ids[at] = id;
    rowIds[at] = row;
    sims[at] = similarity;
    diverse[at] = false;
  }

  /// Moves up to `limit` chosen candidates to the front, in order, and sets `count`.
  void select(int limit) {
    int n = 0;
    for (int i = 0; i < count && n < limit; i++) {
      if (!isShadowed(i, n)) {
        kept[n++] = i;
      }
    }
    for (int i = 0; i < n; i++) {
      int from = kept[i];
      ids[i] = ids[from];
      rowIds[i] = rowIds[from];
      sims[i] = sims[from];
      diverse[i] = diverse[from];
    }
    count = n;
  }

  private boolean isShadowed(int candidate, int keptCount) {
    long query = rows.matrix().addressOf(rowIds[candidate]);
    float factor = rows.rowFactor(rowIds[candidate]);
    boolean known = diverse[candidate];
    int n = 0;
    for (int j = 0; j < keptCount; j++) {
      int other = kept[j];
      if (known && diverse[other]) {
        continue;
      }
      batch[n++] = rowIds[other];
      if (n == BATCH) {
        if (anyNearer(query, factor, n, sims[candidate])) {
          return true;
        }
        n = 0;
      }
    }
    return n > 0 && anyNearer(query, factor, n, sims[candidate]);
  }

  private boolean anyNearer(long query, float factor, int n, float similarity) {
    rows.gather(query, factor, batch, n, similarities);
    boolean nearer = false;
    for (int i = 0; i < n; i++) {
      nearer |= similarities[i] > similarity;
    }
    return nearer;
  }
}
