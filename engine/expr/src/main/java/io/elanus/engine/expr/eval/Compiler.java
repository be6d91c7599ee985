package io.elanus.engine.expr.eval;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Turns a typed tree into a [Predicate].
///
/// Confined to the caller.
public final class Compiler {
  private final Map<FieldId, Integer> slots = new TreeMap<>();
  private final List<FieldSchema> fields = new ArrayList<>();

  private Compiler() {}

  /// Throws [ErrorCode#UNIMPLEMENTED] for kinds of tests that can't be evaluated yet.
  public static Predicate compile(Expr expr) {
    String unsupported = Analysis.unsupported(expr);
    if (unsupported != null) {
      throw DbException.of(ErrorCode.UNIMPLEMENTED, unsupported + " is not supported yet");
    }
    Compiler compiler = new Compiler();
    if (expr instanceof Expr.RandomSample(Expr predicate, double factor)) {
      Node root = compiler.node(predicate == null ? Expr.TRUE : predicate);
      return new Predicate(root, compiler.fields, factor);
    }
    Node root = compiler.node(expr);
    return new Predicate(root, compiler.fields, 1);
  }

  private int slot(FieldRef field) {
    Integer known = slots.get(field.id());
    if (known != null) {
      return known;
    }
    int slot = fields.size();
    slots.put(field.id(), slot);
    fields.add(field.field());
    return slot;
  }

  private Node node(Expr expr) {
    return switch (expr) {
      case Expr.Constant(boolean value) -> new LogicNodes.Constant(value);
      case Expr.And(List<Expr> operands) -> new LogicNodes.And(nodes(operands));
      case Expr.Or(List<Expr> operands) -> or(operands);
      case Expr.Not(Expr operand) -> new LogicNodes.Not(node(operand));
      case Expr.Compare e ->
          e.field().isJson()
              ? json(e.field(), new JsonTests.Compare(e.op(), e.value()))
              : Leaves.compare(slot(e.field()), e.field().type(), e.op(), e.value());
      case Expr.CompareFields e -> new CompareFieldsNode(slot(e.left()), e.op(), slot(e.right()));
      case Expr.Arithmetic e ->
          e.field().isJson()
              ? json(e.field(), new JsonTests.Arithmetic(e.arith(), e.operand(), e.op(), e.value()))
              : Leaves.arithmetic(slot(e.field()), e);
      case Expr.ArrayLength e ->
          json(e.field(), new JsonTests.Length(e.op(), Leaves.whole(e.value())));
      case Expr.Range e ->
          e.field().isJson()
              ? json(
                  e.field(),
                  new JsonTests.Range(e.lower(), e.lowerIncluded(), e.upper(), e.upperIncluded()))
              : Leaves.range(slot(e.field()), e);
      case Expr.In e ->
          e.field().isJson()
              ? json(e.field(), new JsonTests.In(e.values()))
              : Leaves.in(slot(e.field()), e.field().type(), e.values());
      case Expr.Like e ->
          e.field().isJson()
              ? json(e.field(), new JsonTests.Like(e.pattern()))
              : new TextNodes.Like(slot(e.field()), e.pattern());
      case Expr.IsNull e -> new NullNode(slot(e.field()), e.negated());
      case Expr.Exists e -> json(e.field(), new JsonTests.Exists());
      case Expr.Contains e -> json(e.field(), new JsonTests.Contains(e.mode(), e.values()));
      case Expr.ArrayTest(Expr what) -> ArrayNodes.of(slot(arrayOf(what)), what);
      case Expr.TimestampCompare e ->
          new TimestampNode(slot(e.field()), e.shift(), e.op(), e.instantMicros());
      case Expr.TextMatch _, Expr.PhraseMatch _, Expr.RandomSample _, Expr.Spatial _ ->
          throw new IllegalStateException("refused before");
    };
  }

  private static FieldRef arrayOf(Expr what) {
    return switch (what) {
      case Expr.Compare e -> e.field();
      case Expr.Arithmetic e -> e.field();
      case Expr.ArrayLength e -> e.field();
      case Expr.Range e -> e.field();
      case Expr.In e -> e.field();
      case Expr.Like e -> e.field();
      case Expr.Contains e -> e.field();
      default -> throw new IllegalStateException("no test of arrays: " + what);
    };
  }

  private Node json(FieldRef field, Json.Test test) {
    return new JsonNode(slot(field), field.path(), test);
  }

  /// Cheap operands first; a stable sort, so that equal filters compile alike.
  private List<Node> nodes(List<Expr> operands) {
    List<Node> nodes = new ArrayList<>(operands.size());
    for (Expr operand : operands) {
      nodes.add(node(operand));
    }
    nodes.sort(Comparator.comparingInt(Node::cost));
    return nodes;
  }

  private Node or(List<Expr> operands) {
    List<Expr> merged = Leaves.mergeEqualities(operands);
    return merged.size() == 1 ? node(merged.get(0)) : new LogicNodes.Or(nodes(merged));
  }
}
