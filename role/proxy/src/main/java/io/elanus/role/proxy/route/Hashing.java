package io.elanus.role.proxy.route;

import io.elanus.base.column.PrimaryKeys;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/// Hashes of keys (schema contract, "Hashing"): which shard a row's key belongs to, and which
/// partition its partition key.
///
/// | key | hash |
/// | --- | --- |
/// | INT64 | murmur3 (32 bits, seed 0) of its 8 little-endian bytes, sign bit cleared |
/// | VARCHAR | CRC32 (IEEE) of its first 100 UTF-8 bytes |
///
/// Thread-safe: stateless.
public final class Hashing {
  private static final int TEXT_PREFIX_BYTES = 100;

  private Hashing() {}

  /// Hash of an INT64 key, 0 .. 2^31-1.
  public static int ofLong(long key) {
    int h = mix(0, (int) key);
    h = mix(h, (int) (key >>> 32));
    h ^= 8;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    h ^= h >>> 16;
    return h & 0x7fffffff;
  }

  private static int mix(int h, int block) {
    int k = block * 0xcc9e2d51;
    k = Integer.rotateLeft(k, 15) * 0x1b873593;
    return Integer.rotateLeft(h ^ k, 13) * 5 + 0xe6546b64;
  }

  /// Hash of a VARCHAR key, 0 .. 2^32-1.
  public static long ofText(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, Math.min(bytes.length, TEXT_PREFIX_BYTES));
    return crc.getValue();
  }

  /// The bucket in `0 .. buckets-1` of each key.
  public static int[] buckets(PrimaryKeys keys, int buckets) {
    int[] result = new int[keys.size()];
    if (buckets == 1) {
      return result;
    }
    switch (keys) {
      case PrimaryKeys.Longs(long[] values) -> {
        for (int i = 0; i < values.length; i++) {
          result[i] = ofLong(values[i]) % buckets;
        }
      }
      case PrimaryKeys.Texts(String[] values) -> {
        for (int i = 0; i < values.length; i++) {
          result[i] = (int) (ofText(values[i]) % buckets);
        }
      }
    }
    return result;
  }
}
