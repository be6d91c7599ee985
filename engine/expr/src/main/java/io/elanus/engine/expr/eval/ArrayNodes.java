package io.elanus.engine.expr.eval;

import io.elanus.base.column.ArrayRows;
import io.elanus.base.error.Invariant;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.ContainsMode;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Tests of ARRAY columns ([ArrayRows] has the layout). An element out of range answers false, to
/// `!=` as well; a null row is unknown.
///
/// Thread-safe: stateless.
final class ArrayNodes {
  private ArrayNodes() {}

  /// The node for a test that [Expr.ArrayTest] holds.
  static Node of(int slot, Expr what) {
    return switch (what) {
      case Expr.ArrayLength e ->
          new Length(slot, element(e.field()), e.op(), Leaves.whole(e.value()));
      case Expr.Contains e -> contains(slot, element(e.field()), e.mode(), e.values());
      case Expr.Compare e when e.field().path().isEmpty() -> {
        Invariant.check(e.value() instanceof Value.ListOf, "array compared with %s", e.value());
        yield new Equal(
            slot,
            element(e.field()),
            equalities(element(e.field()), ((Value.ListOf) e.value()).elements()),
            e.op() == CompareOp.NE);
      }
      case Expr.Compare e -> elementAt(slot, e.field(), ElementTests.of(element(e.field()), e));
      case Expr.Range e -> elementAt(slot, e.field(), ElementTests.of(element(e.field()), e));
      case Expr.In e -> elementAt(slot, e.field(), ElementTests.of(element(e.field()), e));
      case Expr.Like e -> elementAt(slot, e.field(), ElementTests.of(element(e.field()), e));
      case Expr.Arithmetic e -> elementAt(slot, e.field(), ElementTests.of(element(e.field()), e));
      default -> throw new IllegalStateException("no test of arrays: " + what);
    };
  }

  private static DataType element(FieldRef field) {
    return field.scalarType();
  }

  private static Node elementAt(int slot, FieldRef field, ElementTest test) {
    String step = field.path().get(0);
    int index = step.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(step);
    return new At(slot, element(field), index, test);
  }

  private static List<ElementTest> equalities(DataType element, List<Value> values) {
    List<ElementTest> tests = new ArrayList<>(values.size());
    for (Value value : values) {
      tests.add(ElementTests.equal(element, value));
    }
    return tests;
  }

  private static Node contains(int slot, DataType element, ContainsMode mode, List<Value> values) {
    if (mode == ContainsMode.ALL) {
      return new All(slot, element, equalities(element, List.copyOf(new LinkedHashSet<>(values))));
    }
    return new Any(slot, element, ElementTests.in(element, values));
  }

  /// A test of one element.
  interface ElementTest {
    /// Judges element `index` of the array at `bytes[from ..]`.
    boolean test(byte[] bytes, int from, int index);
  }

  private abstract static class ArrayTest extends TextNodes.RowTest {
    final DataType element;

    ArrayTest(int slot, DataType element) {
      super(slot);
      this.element = element;
    }

    @Override
    int cost() {
      return 8;
    }
  }

  private static final class At extends ArrayTest {
    private final int index;
    private final ElementTest test;

    At(int slot, DataType element, int index, ElementTest test) {
      super(slot, element);
      this.index = index;
      this.test = test;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return index < ArrayRows.length(element, bytes, from, to) && test.test(bytes, from, index);
    }
  }

  private static final class Length extends ArrayTest {
    private final CompareOp op;
    private final long wanted;

    Length(int slot, DataType element, CompareOp op, long wanted) {
      super(slot, element);
      this.op = op;
      this.wanted = wanted;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return op.holds(Long.compare(ArrayRows.length(element, bytes, from, to), wanted));
    }
  }

  private static final class Any extends ArrayTest {
    private final ElementTest member;

    Any(int slot, DataType element, ElementTest member) {
      super(slot, element);
      this.member = member;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      return holds(member, element, bytes, from, to);
    }
  }

  private static boolean holds(ElementTest test, DataType element, byte[] bytes, int from, int to) {
    int length = ArrayRows.length(element, bytes, from, to);
    for (int i = 0; i < length; i++) {
      if (test.test(bytes, from, i)) {
        return true;
      }
    }
    return false;
  }

  private static final class All extends ArrayTest {
    private final List<ElementTest> wanted;

    All(int slot, DataType element, List<ElementTest> wanted) {
      super(slot, element);
      this.wanted = wanted;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      for (ElementTest one : wanted) {
        if (!holds(one, element, bytes, from, to)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final class Equal extends ArrayTest {
    private final List<ElementTest> wanted;
    private final boolean negated;

    Equal(int slot, DataType element, List<ElementTest> wanted, boolean negated) {
      super(slot, element);
      this.wanted = wanted;
      this.negated = negated;
    }

    @Override
    boolean test(byte[] bytes, int from, int to) {
      boolean same = ArrayRows.length(element, bytes, from, to) == wanted.size();
      for (int i = 0; same && i < wanted.size(); i++) {
        same = wanted.get(i).test(bytes, from, i);
      }
      return same != negated;
    }
  }
}
