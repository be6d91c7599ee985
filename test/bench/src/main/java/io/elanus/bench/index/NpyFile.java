package io.elanus.bench.index;

import io.elanus.base.column.Column;
import io.elanus.base.schema.DataType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A float32 matrix in NumPy's file format, C order.
///
/// Immutable.
record NpyFile(int rows, int dim, MemorySegment data) {
  private static final Pattern SHAPE = Pattern.compile("\\((\\d+), (\\d+)\\)");

  static NpyFile read(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      MemorySegment file =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.global());
      int headerBytes = file.get(ValueLayout.JAVA_SHORT_UNALIGNED, 8);
      byte[] header = file.asSlice(10, headerBytes).toArray(ValueLayout.JAVA_BYTE);
      Matcher shape = SHAPE.matcher(new String(header, StandardCharsets.US_ASCII));
      if (!shape.find()) {
        throw new IOException("no matrix in " + path);
      }
      int rows = Integer.parseInt(shape.group(1));
      int dim = Integer.parseInt(shape.group(2));
      return new NpyFile(rows, dim, file.asSlice(10 + headerBytes, 4L * rows * dim));
    }
  }

  /// The first `count` rows, copied to anonymous memory as the peers hold theirs.
  Column column(int count) {
    MemorySegment copy = Arena.global().allocate(4L * count * dim, 64);
    copy.copyFrom(data.asSlice(0, 4L * count * dim));
    return Column.fixed(DataType.FLOAT_VECTOR, dim, count, copy, null);
  }

  /// The first `count` rows on the heap, row-major.
  float[] floats(int count) {
    return data.asSlice(0, 4L * count * dim).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
  }
}
