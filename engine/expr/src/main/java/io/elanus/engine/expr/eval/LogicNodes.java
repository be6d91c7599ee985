package io.elanus.engine.expr.eval;

import java.util.List;

/// Constants, `and`, `or`, `not`.
///
/// Thread-safe: stateless.
final class LogicNodes {
  private LogicNodes() {}

  private static int totalCost(List<Node> operands) {
    int total = 0;
    for (Node operand : operands) {
      total += operand.cost();
    }
    return total;
  }

  static final class Constant extends Node {
    private final long word;

    Constant(boolean value) {
      this.word = value ? -1L : 0L;
    }

    @Override
    void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
      for (int w = 0; w < frame.words(); w++) {
        truths[w] = word;
        possible[w] = word;
      }
    }

    @Override
    int cost() {
      return 0;
    }
  }

  static final class Not extends Node {
    private final Node operand;

    Not(Node operand) {
      this.operand = operand;
    }

    @Override
    void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
      operand.eval(frame, mask, truths, possible);
      for (int w = 0; w < frame.words(); w++) {
        long wasTrue = truths[w];
        truths[w] = ~possible[w];
        possible[w] = ~wasTrue;
      }
    }

    @Override
    int cost() {
      return operand.cost();
    }
  }

  static final class And extends Node {
    private final List<Node> operands;

    And(List<Node> operands) {
      this.operands = operands;
    }

    @Override
    void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
      int words = frame.words();
      operands.get(0).eval(frame, mask, truths, possible);
      long[] nextMask = frame.borrow();
      long[] t = frame.borrow();
      long[] p = frame.borrow();
      for (int i = 1; i < operands.size(); i++) {
        long open = 0;
        for (int w = 0; w < words; w++) {
          nextMask[w] = mask[w] & possible[w];
          open |= nextMask[w];
        }
        if (open == 0) {
          break;
        }
        operands.get(i).eval(frame, nextMask, t, p);
        for (int w = 0; w < words; w++) {
          truths[w] &= t[w];
          possible[w] &= p[w];
        }
      }
      frame.giveBack(nextMask);
      frame.giveBack(t);
      frame.giveBack(p);
    }

    @Override
    int cost() {
      return totalCost(operands);
    }
  }

  static final class Or extends Node {
    private final List<Node> operands;

    Or(List<Node> operands) {
      this.operands = operands;
    }

    @Override
    void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
      int words = frame.words();
      operands.get(0).eval(frame, mask, truths, possible);
      long[] nextMask = frame.borrow();
      long[] t = frame.borrow();
      long[] p = frame.borrow();
      for (int i = 1; i < operands.size(); i++) {
        long open = 0;
        for (int w = 0; w < words; w++) {
          nextMask[w] = mask[w] & ~truths[w];
          open |= nextMask[w];
        }
        if (open == 0) {
          break;
        }
        operands.get(i).eval(frame, nextMask, t, p);
        for (int w = 0; w < words; w++) {
          // Rows outside the narrowed mask hold anything; they are true already, so this is
          // harmless.
          truths[w] |= t[w];
          possible[w] |= p[w];
        }
      }
      frame.giveBack(nextMask);
      frame.giveBack(t);
      frame.giveBack(p);
    }

    @Override
    int cost() {
      return totalCost(operands);
    }
  }
}
