package io.elanus.engine.segment;

import java.io.IOException;

/// Marks where the sections of a file begin and end.
///
/// Confined to the caller.
final class SectionSink {
  private final BlockSink sink;
  private final long[] table = new long[2 * SegmentManifest.SECTIONS];

  SectionSink(BlockSink sink) {
    this.sink = sink;
  }

  BlockSink sink() {
    return sink;
  }

  void begin(int section) throws IOException {
    sink.align();
    table[2 * section] = sink.position();
  }

  void end(int section) {
    table[2 * section + 1] = sink.position() - table[2 * section];
  }

  long[] table() {
    return table;
  }
}
