package io.elanus.engine.index.vector;

import java.util.Arrays;

/// A growing binary heap of longs, the smallest on top.
///
/// Confined to the caller.
final class LongHeap {
  private long[] values = new long[64];
  private int size;

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long peek() {
    return values[0];
  }

  void push(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >> 1;
      if (values[parent] <= value) {
        break;
      }
      values[at] = values[parent];
      at = parent;
    }
    values[at] = value;
  }

  long pop() {
    long top = values[0];
    long value = values[--size];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && values[child + 1] < values[child]) {
        child++;
      }
      if (values[child] >= value) {
        break;
      }
      values[at] = values[child];
      at = child;
    }
    values[at] = value;
    return top;
  }
}
