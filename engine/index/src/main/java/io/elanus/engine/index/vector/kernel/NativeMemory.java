package io.elanus.engine.index.vector.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The whole address space as one segment, so that compiled kernels see a single constant segment
/// whatever mix of native and mapped memory a process has open. Kernels that took the real segments
/// would see several segment classes and lose inlining as soon as two kinds are loaded.
///
/// The price is that nothing checks lifetimes here: see [RowMatrix].
///
/// Thread-safe: stateless.
public final class NativeMemory {
  /// Covers every address; offset = address.
  public static final MemorySegment ALL = all();

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private NativeMemory() {}

  @SuppressWarnings("restricted")
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  public static float floatAt(long address) {
    return ALL.get(FLOAT, address);
  }

  public static void putFloat(long address, float value) {
    ALL.set(FLOAT, address, value);
  }

  public static int intAt(long address) {
    return ALL.get(INT, address);
  }

  public static void putInt(long address, int value) {
    ALL.set(INT, address, value);
  }

  /// Copies little-endian floats of native memory to the start of `to`.
  public static void copyOut(long fromAddress, float[] to, int count) {
    MemorySegment.copy(ALL, FLOAT, fromAddress, to, 0, count);
  }

  /// Copies floats of the heap to native memory as little-endian.
  public static void copy(float[] from, int fromIndex, long toAddress, int count) {
    MemorySegment.copy(from, fromIndex, ALL, FLOAT, toAddress, count);
  }
}
