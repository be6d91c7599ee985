package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Stored form of keys and entries. Key: `k` + UTF-8 bytes of the key. `l` + key is an empty mark
/// that the key was put with a lease (it may be stale); `m/…` keys are the store's own numbers.
/// Value, little endian:
///
/// | bytes | what |
/// | --- | --- |
/// | 0..7 | create revision |
/// | 8..15 | mod revision |
/// | 16..23 | lease id, 0 for none |
/// | 24.. | the value |
///
/// Thread-safe: stateless.
final class EntryCodec {
  static final byte[] REVISION_KEY = "m/revision".getBytes(StandardCharsets.US_ASCII);
  static final byte[] FORMAT_KEY = "m/format".getBytes(StandardCharsets.US_ASCII);
  static final long FORMAT = 1;
  private static final byte USER = 'k';
  private static final byte LEASE_MARK = 'l';
  private static final int HEADER_BYTES = 24;

  private EntryCodec() {}

  static byte[] key(String key) {
    return stored(USER, key);
  }

  static byte[] leaseMark(String key) {
    return stored(LEASE_MARK, key);
  }

  static byte[] leaseMarksEnd() {
    return new byte[] {LEASE_MARK + 1};
  }

  private static byte[] stored(byte kind, String key) {
    byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
    byte[] stored = new byte[utf8.length + 1];
    stored[0] = kind;
    System.arraycopy(utf8, 0, stored, 1, utf8.length);
    return stored;
  }

  /// First stored key behind every user key.
  static byte[] end() {
    return new byte[] {USER + 1};
  }

  static String keyOf(byte[] stored) {
    return new String(stored, 1, stored.length - 1, StandardCharsets.UTF_8);
  }

  static byte[] value(KeyValue entry) {
    return ByteBuffer.allocate(HEADER_BYTES + entry.value().length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(entry.createRevision())
        .putLong(entry.modRevision())
        .putLong(entry.lease().value())
        .put(entry.value())
        .array();
  }

  static KeyValue entry(String key, byte[] stored) {
    if (stored.length < HEADER_BYTES) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "metadata entry " + key + " has " + stored.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN);
    long created = in.getLong();
    long modified = in.getLong();
    LeaseId lease = new LeaseId(in.getLong());
    byte[] value = new byte[in.remaining()];
    in.get(value);
    return new KeyValue(key, value, created, modified, lease);
  }

  static byte[] number(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  static long number(byte[] stored) {
    if (stored.length != 8) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "metadata number has " + stored.length + " bytes");
    }
    return ByteBuffer.wrap(stored).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}
