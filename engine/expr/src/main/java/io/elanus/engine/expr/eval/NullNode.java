package io.elanus.engine.expr.eval;

/// `is null` and `is not null`.
///
/// Immutable.
final class NullNode extends Node {
  private final int slot;
  private final boolean negated;

  NullNode(int slot, boolean negated) {
    this.slot = slot;
    this.negated = negated;
  }

  @Override
  void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
    boolean nulls = frame.validity(slot, truths);
    for (int w = 0; w < frame.words(); w++) {
      long valid = nulls ? truths[w] : -1L;
      truths[w] = negated ? valid : ~valid;
      possible[w] = truths[w];
    }
  }

  @Override
  int cost() {
    return 1;
  }
}
