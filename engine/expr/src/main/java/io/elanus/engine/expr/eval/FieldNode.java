package io.elanus.engine.expr.eval;

/// A test of one field that is unknown where the field is null. Subclasses fill the plain answers
/// and may leave anything in null rows and outside the mask.
///
/// Immutable.
abstract class FieldNode extends Node {
  final int slot;

  FieldNode(int slot) {
    this.slot = slot;
  }

  /// Writes the answers of all rows that are in `wanted`, a superset of them is fine.
  abstract void fill(Frame frame, long[] wanted, long[] out);

  @Override
  void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
    int words = frame.words();
    long[] valid = frame.borrow();
    boolean nulls = frame.validity(slot, valid);
    for (int w = 0; w < words; w++) {
      valid[w] = nulls ? valid[w] : -1L;
    }
    // `possible` serves as the mask of rows worth reading until the answers are there.
    long any = 0;
    for (int w = 0; w < words; w++) {
      possible[w] = mask[w] & valid[w];
      any |= possible[w];
    }
    if (any != 0) {
      fill(frame, possible, truths);
    }
    for (int w = 0; w < words; w++) {
      long answers = any == 0 ? 0 : truths[w] & valid[w];
      truths[w] = answers;
      possible[w] = answers | ~valid[w];
    }
    frame.giveBack(valid);
  }
}
