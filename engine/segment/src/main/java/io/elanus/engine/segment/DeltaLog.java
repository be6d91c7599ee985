package io.elanus.engine.segment;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.column.ColumnCodec;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.object.ObjectStore;
import java.util.zip.CRC32C;

/// Deletes as an object: keys and when each was deleted. `partitions[i]` is where key `i` was
/// deleted, -1 = in all partitions.
///
/// Bytes: magic `ELDL` i32, version i32, keys as in [ColumnCodec], then per key tick i64 and
/// partition i64; at the end the CRC32C of everything before, i32.
///
/// Immutable; arrays may not be written.
public record DeltaLog(PrimaryKeys keys, long[] ticks, long[] partitions) {
  private static final int MAGIC = 0x4C444C45; // "ELDL"
  private static final int VERSION = 1;

  /// Deletes in every partition.
  public static final long ALL_PARTITIONS = -1;

  public DeltaLog {
    if (keys.size() != ticks.length || keys.size() != partitions.length) {
      throw new IllegalArgumentException(
          keys.size() + " keys, " + ticks.length + " ticks, " + partitions.length + " partitions");
    }
  }

  /// What was written.
  public record Written(int entries, long sizeBytes, HybridTs minTs, HybridTs maxTs) {}

  /// Stores the deletes under `key`. Blocks.
  public Written write(ObjectStore store, String key) {
    ByteWriter out = new ByteWriter(32 + 24 * ticks.length);
    out.i32(MAGIC).i32(VERSION);
    ColumnCodec.write(keys, out);
    HybridTs min = HybridTs.MAX;
    HybridTs max = HybridTs.ZERO;
    for (int i = 0; i < ticks.length; i++) {
      out.i64(ticks[i]).i64(partitions[i]);
      HybridTs tick = new HybridTs(ticks[i]);
      min = HybridTs.min(min, tick);
      max = HybridTs.max(max, tick);
    }
    CRC32C crc = new CRC32C();
    crc.update(out.buffer(), 0, out.size());
    out.i32((int) crc.getValue());
    byte[] bytes = out.toArray();
    store.put(key, bytes);
    return new Written(ticks.length, bytes.length, ticks.length == 0 ? max : min, max);
  }

  /// Reads a delta log. Blocks. Errors: SEGMENT_LOAD_FAILED when it is missing, DATA_INTEGRITY when
  /// it is damaged, OPERATION_UNSUPPORTED when a newer version wrote it; all name the object.
  public static DeltaLog read(ObjectStore store, String key) {
    byte[] bytes = ColumnFiles.getOrFail(store, key);
    int body = bytes.length - 4;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, Math.max(0, body));
    if (body < 8 || new ByteReader(bytes, body, bytes.length).i32() != (int) crc.getValue()) {
      throw SegmentManifest.damaged(key, "checksum of the delta log does not match");
    }
    ByteReader in = new ByteReader(bytes, 0, body);
    if (in.i32() != MAGIC) {
      throw SegmentManifest.damaged(key, "no delta log");
    }
    SegmentManifest.checkVersion(key, in.i32(), VERSION);
    PrimaryKeys keys = ColumnCodec.readKeys(in);
    long[] ticks = new long[keys.size()];
    long[] partitions = new long[keys.size()];
    for (int i = 0; i < ticks.length; i++) {
      ticks[i] = in.i64();
      partitions[i] = in.i64();
    }
    return new DeltaLog(keys, ticks, partitions);
  }
}
