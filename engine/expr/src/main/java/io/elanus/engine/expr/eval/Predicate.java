package io.elanus.engine.expr.eval;

import io.elanus.base.error.Invariant;
import io.elanus.base.schema.FieldSchema;
import java.util.List;

/// A compiled filter. Bit sets are `long[]` with row `i` at bit `i & 63` of word `i >> 6`.
///
/// Thread-safe: immutable, scratch memory belongs to the call.
public final class Predicate {
  private final Node root;
  private final List<FieldSchema> fields;
  private final double sampleFactor;

  Predicate(Node root, List<FieldSchema> fields, double sampleFactor) {
    this.root = root;
    this.sampleFactor = sampleFactor;
    this.fields = List.copyOf(fields);
  }

  /// Words a bit set of `rows` rows takes.
  public static int words(int rows) {
    return (rows + 63) >>> 6;
  }

  /// Sets the bits of the rows `fromRow .. toRow` for which the filter is true and clears the
  /// others, up to the end of the last word touched. `fromRow` must be a multiple of 64; rows keep
  /// their absolute place in `outBits`, so ranges of one source may be filled by different threads.
  /// A filter with `random_sample` takes its share of each range anew. Throws `DATA_INTEGRITY` for
  /// a JSON value that can't be parsed.
  public void evaluate(ColumnSource source, int fromRow, int toRow, long[] outBits) {
    Invariant.check(
        (fromRow & 63) == 0 && fromRow <= toRow && toRow <= source.rows(),
        "rows %d..%d of %d",
        fromRow,
        toRow,
        source.rows());
    if (fromRow == toRow) {
      return;
    }
    Frame frame = new Frame(source, fields);
    Sampler sampler =
        sampleFactor < 1 ? new Sampler(sampleFactor, 31L * source.rows() + fromRow) : null;
    long[] mask = frame.borrow();
    long[] truths = frame.borrow();
    long[] possible = frame.borrow();
    for (int from = fromRow; from < toRow; from += Frame.CHUNK_ROWS) {
      int rows = Math.min(Frame.CHUNK_ROWS, toRow - from);
      frame.moveTo(from, rows);
      int words = frame.words();
      for (int w = 0; w < words; w++) {
        mask[w] = -1L;
      }
      if ((rows & 63) != 0) {
        mask[words - 1] = (1L << (rows & 63)) - 1;
      }
      root.eval(frame, mask, truths, possible);
      for (int w = 0; w < words; w++) {
        truths[w] &= mask[w];
      }
      if (sampler != null) {
        sampler.thin(truths, words);
      }
      System.arraycopy(truths, 0, outBits, from >>> 6, words);
    }
  }

  /// The bits of all rows.
  public long[] evaluate(ColumnSource source) {
    long[] bits = new long[words(source.rows())];
    evaluate(source, 0, source.rows(), bits);
    return bits;
  }
}
