package io.elanus.engine.expr.tree;

import java.util.List;

/// Writes a tree in prefix form with field ids in place of names.
///
/// Confined to the caller.
final class CanonicalText {
  private final StringBuilder out;

  CanonicalText(StringBuilder out) {
    this.out = out;
  }

  void write(Expr expr) {
    switch (expr) {
      case Expr.Constant(boolean value) -> out.append(value);
      case Expr.And(List<Expr> operands) -> nested("and", operands);
      case Expr.Or(List<Expr> operands) -> nested("or", operands);
      case Expr.Not(Expr operand) -> nested("not", List.of(operand));
      case Expr.Compare e -> open(e.op().text()).field(e.field()).value(e.value()).close();
      case Expr.CompareFields e -> open(e.op().text()).field(e.left()).field(e.right()).close();
      case Expr.Arithmetic e ->
          open(e.op().text() + " " + e.arith().text())
              .field(e.field())
              .value(e.operand())
              .value(e.value())
              .close();
      case Expr.ArrayLength e ->
          open("length " + e.op().text()).field(e.field()).value(e.value()).close();
      case Expr.Range e ->
          open("range " + (e.lowerIncluded() ? "[" : "]") + (e.upperIncluded() ? "]" : "["))
              .field(e.field())
              .value(e.lower())
              .value(e.upper())
              .close();
      case Expr.In e -> open("in").field(e.field()).values(e.values()).close();
      case Expr.Like e -> open("like").field(e.field()).text(e.pattern().canonical()).close();
      case Expr.IsNull e -> open(e.negated() ? "present" : "null").field(e.field()).close();
      case Expr.Exists e -> open("exists").field(e.field()).close();
      case Expr.Contains e -> open(e.mode().function()).field(e.field()).values(e.values()).close();
      case Expr.ArrayTest(Expr what) -> nested("array", List.of(what));
      case Expr.TextMatch e ->
          open("text_match " + e.minimumShouldMatch()).field(e.field()).text(e.query()).close();
      case Expr.PhraseMatch e ->
          open("phrase_match " + e.slop()).field(e.field()).text(e.query()).close();
      case Expr.RandomSample(Expr predicate, double factor) ->
          nested("sample " + factor, predicate == null ? List.of() : List.of(predicate));
      case Expr.Spatial e ->
          open(e.function() + " " + e.distance()).field(e.field()).text(e.wkt()).close();
      case Expr.TimestampCompare e ->
          open("ts " + e.op().text())
              .field(e.field())
              .text(e.shift().toString())
              .value(Value.of(e.instantMicros()))
              .close();
    }
  }

  private void nested(String head, List<Expr> operands) {
    out.append('(').append(head);
    for (Expr operand : operands) {
      out.append(' ');
      write(operand);
    }
    out.append(')');
  }

  private CanonicalText open(String head) {
    out.append('(').append(head);
    return this;
  }

  private CanonicalText field(FieldRef field) {
    out.append(" f").append(field.id().value());
    for (String key : field.path()) {
      out.append('/');
      quoted(key);
    }
    return this;
  }

  private CanonicalText text(String text) {
    out.append(' ');
    quoted(text);
    return this;
  }

  private CanonicalText values(List<Value> values) {
    for (Value value : values) {
      value(value);
    }
    return this;
  }

  private CanonicalText value(Value value) {
    out.append(' ');
    switch (value) {
      case Value.Bool(boolean v) -> out.append(v);
      case Value.Int(long v) -> out.append(v);
      case Value.Real(double v) -> out.append(v).append('d');
      case Value.Text(String v) -> quoted(v);
      case Value.ListOf(List<Value> elements) -> {
        out.append('[');
        values(elements);
        out.append(']');
      }
    }
    return this;
  }

  /// Length first, so that no content can look like the end of the text.
  private void quoted(String text) {
    out.append(text.length()).append(':').append(text);
  }

  private void close() {
    out.append(')');
  }
}
