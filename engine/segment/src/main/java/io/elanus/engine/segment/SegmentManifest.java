package io.elanus.engine.segment;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FormatErrors;
import io.elanus.base.id.FieldId;
import io.elanus.base.time.HybridTs;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// What a segment's folder holds.
///
/// Bytes: magic `ELSM` i32, version i32, rows varint, schema version varint, minTs i64, maxTs i64,
/// key field varint, file count varint; per file: name text, field varint, type u8, dim varint,
/// size varint, 4 × (section offset varint, length varint), block count varint, block CRCs i32
/// each; at the end the CRC32C of everything before, i32.
///
/// Immutable; arrays may not be written.
record SegmentManifest(
    int rows,
    int schemaVersion,
    HybridTs minTs,
    HybridTs maxTs,
    FieldId keyField,
    List<FileEntry> files) {
  private static final int MAGIC = 0x4D534C45; // "ELSM"
  static final int DATA = 0;
  static final int OFFSETS = 1;
  static final int VALIDITY = 2;
  static final int ZONES = 3;
  static final int SECTIONS = 4;

  SegmentManifest {
    files = List.copyOf(files);
  }

  /// One file: sections are offset and length in turn; length 0 with offset 0 = not there.
  record FileEntry(
      String name,
      FieldId field,
      int type,
      int dim,
      long sizeBytes,
      long[] sections,
      int[] blockSums) {
    boolean has(int section) {
      return sections[2 * section] != 0;
    }

    long offsetOf(int section) {
      return sections[2 * section];
    }

    long lengthOf(int section) {
      return sections[2 * section + 1];
    }
  }

  long sizeBytes() {
    long total = 0;
    for (FileEntry file : files) {
      total += file.sizeBytes;
    }
    return total;
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter(1024);
    out.i32(MAGIC).i32(SegmentFormat.VERSION).varint(rows).varint(schemaVersion);
    out.i64(minTs.value()).i64(maxTs.value()).varint(keyField.value()).varint(files.size());
    for (FileEntry file : files) {
      out.text(file.name).varint(file.field.value()).u8(file.type).varint(file.dim);
      out.varint(file.sizeBytes);
      for (long part : file.sections) {
        out.varint(part);
      }
      out.varint(file.blockSums.length);
      for (int sum : file.blockSums) {
        out.i32(sum);
      }
    }
    CRC32C crc = new CRC32C();
    crc.update(out.buffer(), 0, out.size());
    out.i32((int) crc.getValue());
    return out.toArray();
  }

  /// Errors naming `key`: DATA_INTEGRITY when a byte is wrong, OPERATION_UNSUPPORTED when a newer
  /// version wrote it.
  static SegmentManifest decode(String key, byte[] bytes) {
    int body = bytes.length - 4;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, Math.max(0, body));
    if (body < 8 || new ByteReader(bytes, body, bytes.length).i32() != (int) crc.getValue()) {
      throw damaged(key, "checksum of the manifest does not match");
    }
    ByteReader in = new ByteReader(bytes, 0, body);
    if (in.i32() != MAGIC) {
      throw damaged(key, "no segment manifest");
    }
    int version = in.i32();
    checkVersion(key, version, SegmentFormat.VERSION);
    int rows = Math.toIntExact(in.varint());
    int schemaVersion = Math.toIntExact(in.varint());
    HybridTs minTs = new HybridTs(in.i64());
    HybridTs maxTs = new HybridTs(in.i64());
    FieldId keyField = new FieldId(in.varint());
    int count = Math.toIntExact(in.varint());
    List<FileEntry> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(readFile(in));
    }
    return new SegmentManifest(rows, schemaVersion, minTs, maxTs, keyField, files);
  }

  private static FileEntry readFile(ByteReader in) {
    String name = in.text();
    FieldId field = new FieldId(in.varint());
    int type = in.u8();
    int dim = Math.toIntExact(in.varint());
    long sizeBytes = in.varint();
    long[] sections = new long[2 * SECTIONS];
    for (int i = 0; i < sections.length; i++) {
      sections[i] = in.varint();
    }
    int[] sums = new int[Math.toIntExact(in.varint())];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = in.i32();
    }
    return new FileEntry(name, field, type, dim, sizeBytes, sections, sums);
  }

  /// Errors as of [#decode]: for a version that was found in an object whose checksum is right.
  static void checkVersion(String key, int found, int known) {
    if (found > known) {
      throw FormatErrors.newer("object " + key, found, known);
    }
    if (found != known) {
      throw damaged(key, "format version " + found + " never was");
    }
  }

  static DbException damaged(String key, String what) {
    return DbException.described(ErrorCode.DATA_INTEGRITY, "object " + key + ": " + what);
  }
}
