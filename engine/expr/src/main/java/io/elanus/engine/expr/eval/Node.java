package io.elanus.engine.expr.eval;

/// A compiled tree node. It fills two bit sets for the chunk of the frame: `truths`, the rows where
/// it is true, and `possible`, the rows where it is true or unknown; so `and`, `or` and `not` are
/// word operations. Rows outside `mask` don't matter to the caller and may hold anything.
///
/// Immutable.
abstract class Node {
  abstract void eval(Frame frame, long[] mask, long[] truths, long[] possible);

  /// Relative price of a row; cheap operands of `and` and `or` run first and spare the others rows.
  abstract int cost();
}
