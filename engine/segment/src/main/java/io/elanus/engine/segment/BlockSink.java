package io.elanus.engine.segment;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Writes a file front to back through a buffer of one block, whose CRC32C is taken when it is
/// full.
///
/// Confined to the caller.
final class BlockSink {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final WritableByteChannel out;
  private final byte[] block = new byte[SegmentFormat.BLOCK_BYTES];
  private final CRC32C crc = new CRC32C();
  private int used;
  private long flushed;
  private int[] sums = new int[4];
  private int blocks;

  BlockSink(WritableByteChannel out) {
    this.out = out;
  }

  /// Bytes written so far.
  long position() {
    return flushed + used;
  }

  void i32(int value) throws IOException {
    room(4);
    INT.set(block, used, value);
    used += 4;
  }

  void i64(long value) throws IOException {
    room(8);
    LONG.set(block, used, value);
    used += 8;
  }

  /// Room for a value that may not straddle two blocks: sections are aligned, blocks are a
  /// multiple.
  private void room(int bytes) throws IOException {
    if (used + bytes > block.length) {
      flush();
    }
  }

  void bytes(byte[] from, int offset, int length) throws IOException {
    bytes(MemorySegment.ofArray(from), offset, length);
  }

  void bytes(MemorySegment from, long offset, long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (used == block.length) {
        flush();
      }
      int part = (int) Math.min(block.length - used, length - done);
      MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offset + done, block, used, part);
      used += part;
      done += part;
    }
  }

  /// Zeros up to the next section boundary.
  void align() throws IOException {
    int rest = used % SegmentFormat.ALIGNMENT;
    if (rest != 0) {
      int pad = SegmentFormat.ALIGNMENT - rest;
      Arrays.fill(block, used, used + pad, (byte) 0);
      used += pad;
    }
  }

  private void flush() throws IOException {
    if (used == 0) {
      return;
    }
    crc.reset();
    crc.update(block, 0, used);
    if (blocks == sums.length) {
      sums = Arrays.copyOf(sums, 2 * blocks);
    }
    sums[blocks++] = (int) crc.getValue();
    ByteBuffer buffer = ByteBuffer.wrap(block, 0, used);
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
    flushed += used;
    used = 0;
  }

  /// Writes what is left and answers the checksums of all blocks.
  int[] finish() throws IOException {
    flush();
    return Arrays.copyOf(sums, blocks);
  }
}
