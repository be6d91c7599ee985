package io.elanus.engine.segment;

import io.elanus.engine.segment.SegmentManifest.FileEntry;
import io.elanus.engine.storage.object.ObjectStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One mapped file of a segment. Size and header are checked when it is opened, the blocks'
/// checksums before the first use of a section.
///
/// Thread-safe: verified under `lock` once, then immutable.
final class MappedFile {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String key;
  private final FileEntry entry;
  private final MemorySegment bytes;
  private final Object lock = new Object();
  private volatile boolean verified;

  private MappedFile(String key, FileEntry entry, MemorySegment bytes) {
    this.key = key;
    this.entry = entry;
    this.bytes = bytes;
  }

  /// Errors naming the object: DATA_INTEGRITY when it does not fit the manifest,
  /// SEGMENT_LOAD_FAILED when it is missing, OPERATION_UNSUPPORTED when a newer version wrote it.
  static MappedFile open(ObjectStore store, String path, FileEntry entry, int rows, Arena arena) {
    String key = SegmentFormat.key(path, entry.name());
    MemorySegment bytes = ColumnFiles.mapOrFail(store, key, arena);
    if (bytes.byteSize() != entry.sizeBytes()) {
      throw SegmentManifest.damaged(
          key, bytes.byteSize() + " bytes instead of " + entry.sizeBytes());
    }
    MappedFile file = new MappedFile(key, entry, bytes);
    file.checkHeader(rows);
    return file;
  }

  private void checkHeader(int rows) {
    boolean begins =
        bytes.byteSize() >= SegmentFormat.HEADER_BYTES && bytes.get(INT, 0) == SegmentFormat.MAGIC;
    if (begins && bytes.get(INT, 4) != SegmentFormat.VERSION) {
      verify(); // Tells a flipped bit from a newer version.
      SegmentManifest.checkVersion(key, bytes.get(INT, 4), SegmentFormat.VERSION);
    }
    boolean fits =
        begins
            && bytes.get(LONG, 8) == entry.field().value()
            && bytes.get(INT, 16) == entry.type()
            && bytes.get(INT, 20) == entry.dim()
            && bytes.get(INT, 24) == rows;
    if (!fits) {
      throw SegmentManifest.damaged(key, "its header does not fit the manifest");
    }
    for (int section = 0; section < SegmentManifest.SECTIONS; section++) {
      long end = entry.offsetOf(section) + entry.lengthOf(section);
      if (end > bytes.byteSize()) {
        throw SegmentManifest.damaged(key, "a section ends behind the file");
      }
    }
  }

  FileEntry entry() {
    return entry;
  }

  String key() {
    return key;
  }

  /// A section after its checksums have been verified; null when the file has none such.
  @Nullable MemorySegment section(int section) {
    verify();
    return entry.has(section)
        ? bytes.asSlice(entry.offsetOf(section), entry.lengthOf(section))
        : null;
  }

  MemorySegment sectionOrFail(int section) {
    MemorySegment found = section(section);
    if (found == null) {
      throw SegmentManifest.damaged(key, "section " + section + " is missing");
    }
    return found;
  }

  /// Checks all blocks, once. Error DATA_INTEGRITY naming the object and the block.
  void verify() {
    if (verified) {
      return;
    }
    synchronized (lock) {
      if (verified) {
        return;
      }
      int[] sums = entry.blockSums();
      long blocks = (bytes.byteSize() + SegmentFormat.BLOCK_BYTES - 1) / SegmentFormat.BLOCK_BYTES;
      if (blocks != sums.length) {
        throw SegmentManifest.damaged(key, sums.length + " checksums for " + blocks + " blocks");
      }
      CRC32C crc = new CRC32C();
      for (int i = 0; i < sums.length; i++) {
        long from = (long) i * SegmentFormat.BLOCK_BYTES;
        long length = Math.min(SegmentFormat.BLOCK_BYTES, bytes.byteSize() - from);
        crc.reset();
        crc.update(bytes.asSlice(from, length).asByteBuffer());
        if ((int) crc.getValue() != sums[i]) {
          throw SegmentManifest.damaged(key, "checksum of block " + i + " does not match");
        }
      }
      verified = true;
    }
  }
}
