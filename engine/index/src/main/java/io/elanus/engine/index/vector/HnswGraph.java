package io.elanus.engine.index.vector;

import io.elanus.engine.index.vector.kernel.NativeMemory;
import java.lang.foreign.MemorySegment;

/// The links of a layered graph, in native or mapped memory, searchable in place.
///
/// | part | content, int32 |
/// | --- | --- |
/// | `links0` | `rows × 2M`: neighbours of each row at level 0, best known first or not; -1 ends the list |
/// | `upperRows` | `U`: rows that reach above level 0, ascending. Their positions are *slots* |
/// | `upperStarts` | `U + 1`: a slot's first list in `upperLinks`; it has one list a level from 1 up |
/// | `upperLinks` | `lists × M`: neighbours as slots; -1 ends the list |
///
/// The search enters at `entrySlot`, which reaches `maxLevel`; without upper rows at row 0.
///
/// Immutable once built; while [HnswBuilder] works, lists change under searches of its own threads,
/// which then see some mix of an old and a new list: every id in it is valid.
final class HnswGraph {
  final int m;
  final int efConstruction;
  final int rows;
  final int width0;
  final int upperCount;
  final int maxLevel;
  final int entrySlot;
  final MemorySegment links0;
  final MemorySegment upperRows;
  final MemorySegment upperStarts;
  final MemorySegment upperLinks;
  final long linkStrideBytes;
  private final long links0Address;
  private final long upperRowsAddress;
  private final long upperStartsAddress;
  private final long upperLinksAddress;

  /// `parts` are the four parts in the order of the table.
  HnswGraph(Shape shape, MemorySegment[] parts) {
    this(shape, parts, 8L * shape.m());
  }

  /// As above, where the lists of level 0 begin every `linkStrideBytes` of the first part.
  HnswGraph(Shape shape, MemorySegment[] parts, long linkStrideBytes) {
    this.linkStrideBytes = linkStrideBytes;
    m = shape.m();
    efConstruction = shape.efConstruction();
    rows = shape.rows();
    width0 = 2 * m;
    maxLevel = shape.maxLevel();
    entrySlot = shape.entrySlot();
    upperCount = shape.upperCount();
    links0 = parts[0];
    upperRows = parts[1];
    upperStarts = parts[2];
    upperLinks = parts[3];
    links0Address = links0.address();
    upperRowsAddress = upperRows.address();
    upperStartsAddress = upperStarts.address();
    upperLinksAddress = upperLinks.address();
  }

  /// Everything about a graph but its links.
  ///
  /// Immutable.
  record Shape(int m, int efConstruction, int rows, int upperCount, int maxLevel, int entrySlot) {}

  Shape shape() {
    return new Shape(m, efConstruction, rows, upperCount, maxLevel, entrySlot);
  }

  /// The same graph with the lists of level 0 at another place.
  HnswGraph withLinks(MemorySegment links, long strideBytes) {
    MemorySegment[] parts = {links, upperRows, upperStarts, upperLinks};
    return new HnswGraph(shape(), parts, strideBytes);
  }

  /// Address of a row's list at level 0.
  long list0(int row) {
    return links0Address + linkStrideBytes * row;
  }

  /// Address of a slot's list at `level >= 1`.
  long upperList(int slot, int level) {
    return upperLinksAddress + 4L * m * upperListIndex(slot, level);
  }

  int upperListIndex(int slot, int level) {
    return NativeMemory.intAt(upperStartsAddress + 4L * slot) + level - 1;
  }

  int rowOfSlot(int slot) {
    return NativeMemory.intAt(upperRowsAddress + 4L * slot);
  }

  /// The slot of a row that reaches above level 0, or -1.
  int slotOfRow(int row) {
    int low = 0;
    int high = upperCount - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int at = rowOfSlot(middle);
      if (at == row) {
        return middle;
      }
      if (at < row) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /// The highest level of a slot.
  int levelOfSlot(int slot) {
    long at = upperStartsAddress + 4L * slot;
    return NativeMemory.intAt(at + 4) - NativeMemory.intAt(at);
  }

  long sizeBytes() {
    return links0.byteSize()
        + upperRows.byteSize()
        + upperStarts.byteSize()
        + upperLinks.byteSize();
  }
}
