package io.elanus.engine.expr.eval;

import java.util.List;

/// A test of one place in a JSON column. Inside a document the answer is true or false; it is
/// unknown for a null row, except for `exists`, which is false there.
///
/// Immutable.
final class JsonNode extends Node {
  private final Rows rows;
  private final boolean knownWhenNull;

  JsonNode(int slot, List<String> path, Json.Test test) {
    this.rows = new Rows(slot, path, test);
    this.knownWhenNull = test instanceof JsonTests.Exists;
  }

  @Override
  void eval(Frame frame, long[] mask, long[] truths, long[] possible) {
    rows.eval(frame, mask, truths, possible);
    if (knownWhenNull) {
      System.arraycopy(truths, 0, possible, 0, frame.words());
    }
  }

  @Override
  int cost() {
    return rows.cost();
  }

  private static final class Rows extends TextNodes.RowTest {
    private final List<String> path;
    private final Json.Test test;

    Rows(int slot, List<String> path, Json.Test test) {
      super(slot);
      this.path = path;
      this.test = test;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return Json.ask(bytes, from, to, path, test);
    }

    @Override
    int cost() {
      return 40;
    }
  }
}
