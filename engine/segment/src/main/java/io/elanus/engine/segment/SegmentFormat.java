package io.elanus.engine.segment;

import io.elanus.base.id.FieldId;

/// Names and numbers of the segment format, version 1.
///
/// A segment is a folder of immutable objects; the manifest is written last, and a folder without
/// one is no segment.
///
/// | object | content |
/// | --- | --- |
/// | `f<field id>.col` | one column: header, data, offsets, validity, zones |
/// | `f1.col` | the rows' timestamps, an INT64 column |
/// | `keys.idx` | header, keys sorted (INT64 only), their rows as int32 |
/// | `manifest` | [SegmentManifest] |
///
/// All files are little-endian. They start with a header of 64 bytes:
///
/// | offset | bytes | content |
/// | --- | --- | --- |
/// | 0 | 4 | magic `ELSC` |
/// | 4 | 4 | format version |
/// | 8 | 8 | field id |
/// | 16 | 4 | data type number (0 for `keys.idx`) |
/// | 20 | 4 | dimension |
/// | 24 | 4 | rows |
/// | 28 | 36 | zeros |
///
/// Sections follow, each at a multiple of 64 bytes, in the layout of
/// [io.elanus.base.column.Column], so that a mapped file is a column without copying. Zones
/// describe 4096 rows each in 24 bytes: smallest and largest value (int64, or float64 bits), int32
/// nulls, int32 0; smallest > largest means that all are null. Where sections lie and the CRC32C of
/// every 1 MiB block stand in the manifest.
///
/// Thread-safe: stateless.
final class SegmentFormat {
  static final int MAGIC = 0x43534C45; // "ELSC"
  static final int VERSION = 1;
  static final int HEADER_BYTES = 64;
  static final int ALIGNMENT = 64;
  static final int BLOCK_BYTES = 1 << 20;
  static final int ZONE_ROWS = 4096;
  static final int ZONE_BYTES = 24;
  static final String MANIFEST = "manifest";
  static final String KEYS = "keys.idx";

  private SegmentFormat() {}

  static String columnName(FieldId field) {
    return "f" + field.value() + ".col";
  }

  static String key(String path, String name) {
    return path.endsWith("/") ? path + name : path + "/" + name;
  }
}
