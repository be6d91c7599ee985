package io.elanus.engine.expr.eval;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.CompareOp;
import java.util.Arrays;

/// `left op right` of two columns: numbers by value whatever their types, text by bytes. Unknown
/// where either is null.
///
/// Immutable.
final class CompareFieldsNode extends Node {
  private final int left;
  private final int right;
  private final CompareOp op;

  CompareFieldsNode(int left, CompareOp op, int right) {
    this.left = left;
    this.right = right;
    this.op = op;
  }

  @Override
  void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
    int words = frame.words();
    long[] valid = frame.borrow();
    Arrays.fill(valid, 0, words, -1L);
    for (int slot : new int[] {left, right}) {
      if (frame.validity(slot, possible)) {
        for (int w = 0; w < words; w++) {
          valid[w] &= possible[w];
        }
      }
    }
    if (frame.type(left).isVariableWidth()) {
      texts(frame, mask, valid, truths);
    } else {
      numbers(frame, truths);
    }
    for (int w = 0; w < words; w++) {
      truths[w] &= valid[w];
      possible[w] = truths[w] | ~valid[w];
    }
    frame.giveBack(valid);
  }

  private static boolean isReal(DataType type) {
    return type.isFloating();
  }

  private void numbers(Frame frame, long[] out) {
    boolean leftReal = isReal(frame.type(left));
    boolean rightReal = isReal(frame.type(right));
    int rows = frame.rows();
    Arrays.fill(out, 0, frame.words(), 0);
    if (leftReal && rightReal) {
      double[] a = frame.doubles(left);
      double[] b = frame.otherDoubles(right);
      for (int i = 0; i < rows; i++) {
        out[i >>> 6] |= (Numbers.holds(op, a[i], b[i]) ? 1L : 0L) << i;
      }
    } else if (leftReal) {
      double[] a = frame.doubles(left);
      long[] b = frame.longs(right);
      CompareOp swapped = op.swapped();
      for (int i = 0; i < rows; i++) {
        out[i >>> 6] |= (Numbers.holds(swapped, b[i], a[i]) ? 1L : 0L) << i;
      }
    } else if (rightReal) {
      long[] a = frame.longs(left);
      double[] b = frame.doubles(right);
      for (int i = 0; i < rows; i++) {
        out[i >>> 6] |= (Numbers.holds(op, a[i], b[i]) ? 1L : 0L) << i;
      }
    } else {
      long[] a = frame.longs(left);
      long[] b = frame.otherLongs(right);
      for (int i = 0; i < rows; i++) {
        out[i >>> 6] |= (op.holds(Long.compare(a[i], b[i])) ? 1L : 0L) << i;
      }
    }
  }

  private void texts(Frame frame, long[] mask, long[] valid, long[] out) {
    TextReader a = frame.texts(left);
    TextReader b = frame.texts(right);
    for (int w = 0; w < frame.words(); w++) {
      long bits = 0;
      for (long todo = mask[w] & valid[w]; todo != 0; todo &= todo - 1) {
        int bit = Long.numberOfTrailingZeros(todo);
        int row = (w << 6) + bit;
        int atA = a.locate(row);
        int atB = b.locate(row);
        int order =
            Arrays.compareUnsigned(
                a.window(), atA, atA + a.length(row), b.window(), atB, atB + b.length(row));
        if (op.holds(order)) {
          bits |= 1L << bit;
        }
      }
      out[w] = bits;
    }
  }

  @Override
  int cost() {
    return 4;
  }
}
