package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;

/// Link lists under construction: `lists × width` ids, -1 = free, with the similarity of each link
/// beside it and how many leading links are known to be diverse among themselves (see
/// [LinkSelection]).
///
/// Thread-safe: the writer of a list holds its stripe ([#lockOf]); readers of ids take what they
/// see.
final class LinkTable {
  private static final int STRIPES = 1024;

  final int width;
  final MemorySegment links;
  private final MemorySegment similarities;
  private final short[] diverse;
  private final Object[] stripes = new Object[STRIPES];

  LinkTable(int lists, int width) {
    this.width = width;
    links = VectorRows.allocate(4L * lists * width);
    links.fill((byte) -1);
    similarities = VectorRows.allocate(4L * lists * width);
    diverse = new short[lists];
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Object();
    }
  }

  Object lockOf(int list) {
    return stripes[list & (STRIPES - 1)];
  }

  int diverseOf(int list) {
    return diverse[list];
  }

  void setDiverse(int list, int count) {
    diverse[list] = (short) count;
  }

  int idAt(int list, int i) {
    return NativeMemory.intAt(links.address() + 4L * ((long) list * width + i));
  }

  float similarityAt(int list, int i) {
    return NativeMemory.floatAt(similarities.address() + 4L * ((long) list * width + i));
  }

  void put(int list, int i, int id, float similarity) {
    long at = 4L * ((long) list * width + i);
    NativeMemory.putFloat(similarities.address() + at, similarity);
    NativeMemory.putInt(links.address() + at, id);
  }

  /// Links in a list.
  int count(int list) {
    int n = 0;
    while (n < width && idAt(list, n) >= 0) {
      n++;
    }
    return n;
  }

  /// Frees the places from `from` on.
  void truncate(int list, int from) {
    for (int i = from; i < width && idAt(list, i) >= 0; i++) {
      NativeMemory.putInt(links.address() + 4L * ((long) list * width + i), -1);
    }
  }
}
