package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;

/// Builds the graph of an [HnswIndex].
///
/// The level of each row is drawn from the seed and the row alone, before anything is inserted. So
/// the row that reaches highest is known: it goes in first and stays the entry point, and no thread
/// ever has to change that. The rest follows in row order, the first thousand on one thread, so
/// that later ones find a graph to walk.
///
/// Thread-safe: inserts run on several threads; each link list is written under its stripe.
final class HnswBuilder {
  private static final int SERIAL_ROWS = 1000;
  private static final int MAX_LEVEL = 24;

  private final VectorRows rows;
  private final LinkTable table0;
  private final LinkTable upperTable;
  private final HnswGraph graph;
  private final int entryRow;

  private HnswBuilder(VectorRows rows, int m, int efConstruction, long seed) {
    this.rows = rows;
    int count = rows.count();
    double scale = 1 / Math.log(m);
    int upperCount = 0;
    int listCount = 0;
    for (int row = 0; row < count; row++) {
      int level = levelOf(seed, row, scale);
      upperCount += level > 0 ? 1 : 0;
      listCount += level;
    }
    MemorySegment upperRows = VectorRows.allocate(4L * upperCount);
    MemorySegment upperStarts = VectorRows.allocate(4L * (upperCount + 1));
    int slot = 0;
    int start = 0;
    int maxLevel = 0;
    int entrySlot = -1;
    int entry = 0;
    for (int row = 0; row < count; row++) {
      int level = levelOf(seed, row, scale);
      if (level > 0) {
        NativeMemory.putInt(upperRows.address() + 4L * slot, row);
        NativeMemory.putInt(upperStarts.address() + 4L * slot, start);
        start += level;
        if (level > maxLevel) {
          maxLevel = level;
          entrySlot = slot;
          entry = row;
        }
        slot++;
      }
    }
    NativeMemory.putInt(upperStarts.address() + 4L * slot, start);
    table0 = new LinkTable(count, 2 * m);
    upperTable = new LinkTable(listCount, m);
    entryRow = entry;
    graph =
        new HnswGraph(
            new HnswGraph.Shape(m, efConstruction, count, upperCount, maxLevel, entrySlot),
            new MemorySegment[] {table0.links, upperRows, upperStarts, upperTable.links});
  }

  /// The graph over all rows.
  static HnswGraph build(VectorRows rows, int m, int efConstruction, BuildContext context) {
    HnswBuilder builder = new HnswBuilder(rows, m, efConstruction, context.seed());
    int serial = Math.min(rows.count(), SERIAL_ROWS);
    BuildContext alone = new BuildContext(context.seed(), context.executor(), 1);
    try {
      ParallelRows.run(0, serial, alone, builder::worker);
      ParallelRows.run(serial, rows.count(), context, builder::worker);
    } finally {
      rows.keepAlive();
    }
    return builder.graph;
  }

  private static int levelOf(long seed, int row, double scale) {
    long h = (seed ^ row * 0x9E3779B97F4A7C15L) + 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
    h = (h ^ (h >>> 27)) * 0x94D049BB133111EBL;
    h ^= h >>> 31;
    double uniform = ((h >>> 11) + 1) * 0x1.0p-53;
    return (int) Math.min(MAX_LEVEL, -Math.log(uniform) * scale);
  }

  private ParallelRows.Worker worker() {
    Inserter inserter = new Inserter();
    return (from, to) -> {
      for (int row = from; row < to; row++) {
        if (row != entryRow) {
          inserter.insert(row);
        }
      }
    };
  }

  /// One thread's tools.
  ///
  /// Confined to the caller.
  private final class Inserter {
    private final Scratch scratch = new Scratch();
    private final HnswWalk walk = new HnswWalk(graph, rows, scratch);
    private final int ef = Math.clamp(graph.rows, 1, Math.max(graph.efConstruction, graph.m));
    private final LinkSelection chosen = new LinkSelection(rows, ef + 1);
    private final LinkSelection shrinking = new LinkSelection(rows, graph.width0 + 1);

    void insert(int row) {
      int slot = graph.slotOfRow(row);
      int level = slot < 0 ? 0 : graph.levelOfSlot(slot);
      walk.aim(rows.matrix().addressOf(row), rows.rowFactor(row));
      walk.descend(level);
      for (int l = Math.min(level, graph.maxLevel); l > 0; l--) {
        walk.walkUpper(l, ef);
        choose(slot, true);
        int mine = graph.upperListIndex(slot, l);
        connect(upperTable, mine);
        for (int i = 0; i < chosen.count; i++) {
          int theirs = graph.upperListIndex(chosen.ids[i], l);
          link(upperTable, theirs, slot, row, chosen.sims[i]);
        }
      }
      walk.walkLevel0(ef);
      choose(row, false);
      connect(table0, row);
      for (int i = 0; i < chosen.count; i++) {
        link(table0, chosen.ids[i], row, row, chosen.sims[i]);
      }
    }

    /// The best `m` diverse nodes of the walk's pool, without `self`.
    private void choose(int self, boolean isUpper) {
      chosen.clear(ef + 1);
      for (int i = 0; i < scratch.pool.size; i++) {
        long key = scratch.pool.keys[i];
        int node = HnswWalk.nodeOf(key);
        if (node != self) {
          int row = isUpper ? graph.rowOfSlot(node) : node;
          chosen.add(node, row, HnswWalk.similarityOf(key), false);
        }
      }
      chosen.select(graph.m);
    }

    /// Writes the new node's own list. Another thread may have linked to the node already: what it
    /// wrote moves behind the chosen ones.
    private void connect(LinkTable table, int list) {
      synchronized (table.lockOf(list)) {
        int before = table.count(list);
        if (before > 0) {
          keepEarlierLinks(table, list, before);
        }
        for (int i = 0; i < chosen.count; i++) {
          table.put(list, i, chosen.ids[i], chosen.sims[i]);
        }
        table.setDiverse(list, chosen.count);
      }
    }

    private void keepEarlierLinks(LinkTable table, int list, int before) {
      int[] ids = new int[before];
      float[] sims = new float[before];
      int n = 0;
      for (int i = 0; i < before; i++) {
        int id = table.idAt(list, i);
        if (!isChosen(id)) {
          ids[n] = id;
          sims[n++] = table.similarityAt(list, i);
        }
      }
      table.truncate(list, 0);
      int at = chosen.count;
      for (int i = 0; i < n && at < table.width; i++) {
        table.put(list, at++, ids[i], sims[i]);
      }
    }

    private boolean isChosen(int id) {
      for (int i = 0; i < chosen.count; i++) {
        if (chosen.ids[i] == id) {
          return true;
        }
      }
      return false;
    }

    /// Adds a link from list `list` to `id` (whose row is `row`); a full list is selected anew.
    private void link(LinkTable table, int list, int id, int row, float similarity) {
      synchronized (table.lockOf(list)) {
        int n = table.count(list);
        for (int i = 0; i < n; i++) {
          if (table.idAt(list, i) == id) {
            return;
          }
        }
        if (n < table.width) {
          table.put(list, n, id, similarity);
          return;
        }
        reselect(table, list, id, row, similarity);
      }
    }

    private void reselect(LinkTable table, int list, int id, int row, float similarity) {
      boolean isUpper = table == upperTable;
      shrinking.clear(table.width + 1);
      int diverse = table.diverseOf(list);
      for (int i = 0; i < table.width; i++) {
        int other = table.idAt(list, i);
        int otherRow = isUpper ? graph.rowOfSlot(other) : other;
        float sim = table.similarityAt(list, i);
        if (i < diverse) {
          shrinking.add(other, otherRow, sim, true);
        } else {
          shrinking.addSorted(other, otherRow, sim);
        }
      }
      shrinking.addSorted(id, row, similarity);
      shrinking.select(table.width);
      for (int i = 0; i < shrinking.count; i++) {
        table.put(list, i, shrinking.ids[i], shrinking.sims[i]);
      }
      table.truncate(list, shrinking.count);
      table.setDiverse(list, shrinking.count);
    }
  }
}
