package io.elanus.engine.expr.tree;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.DataType;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Writes a tree as a filter that parses to an equal tree under the same schema. Template values
/// come out as literals, so the text stands on its own.
///
/// Confined to the caller.
public final class FilterText {
  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private final StringBuilder out = new StringBuilder();

  private FilterText() {}

  /// Error 1100 for a number that has no literal: infinite or not a number.
  public static String of(Expr expr) {
    FilterText text = new FilterText();
    text.write(expr);
    return text.out.toString();
  }

  private void write(Expr expr) {
    switch (expr) {
      case Expr.Constant(boolean value) -> out.append(value);
      case Expr.And(List<Expr> operands) -> joined(" and ", operands);
      case Expr.Or(List<Expr> operands) -> joined(" or ", operands);
      case Expr.Not(Expr operand) -> {
        out.append("not ");
        bracketed(operand);
      }
      case Expr.Compare e -> {
        field(e.field()).op(e.op());
        if (e.field().type() == DataType.TIMESTAMPTZ && e.value() instanceof Value.Int(long v)) {
          instant(v);
        } else {
          value(e.value());
        }
      }
      case Expr.CompareFields e -> field(e.left()).op(e.op()).field(e.right());
      case Expr.Arithmetic e ->
          raw("(")
              .field(e.field())
              .raw(" " + e.arith().text() + " ")
              .value(e.operand())
              .raw(")")
              .op(e.op())
              .value(e.value());
      case Expr.ArrayLength e ->
          raw("array_length(").field(e.field()).raw(")").op(e.op()).value(e.value());
      case Expr.Range e ->
          value(e.lower())
              .op(e.lowerIncluded() ? CompareOp.LE : CompareOp.LT)
              .field(e.field())
              .op(e.upperIncluded() ? CompareOp.LE : CompareOp.LT)
              .value(e.upper());
      case Expr.In e -> field(e.field()).raw(" in ").value(Value.of(e.values()));
      case Expr.Like e -> like(e);
      case Expr.IsNull e -> field(e.field()).raw(e.negated() ? " is not null" : " is null");
      case Expr.Exists e -> raw("exists ").field(e.field());
      case Expr.Contains e ->
          raw(e.mode().function() + "(")
              .field(e.field())
              .raw(", ")
              .value(e.mode() == ContainsMode.ONE ? e.values().get(0) : Value.of(e.values()))
              .raw(")");
      case Expr.ArrayTest(Expr what) -> write(what);
      case Expr.TextMatch e ->
          raw("text_match(")
              .field(e.field())
              .raw(", ")
              .text(e.query())
              .raw(", minimum_should_match=" + e.minimumShouldMatch() + ")");
      case Expr.PhraseMatch e ->
          raw("phrase_match(")
              .field(e.field())
              .raw(", ")
              .text(e.query())
              .raw(", " + e.slop() + ")");
      case Expr.RandomSample(Expr predicate, double factor) -> {
        if (predicate != null) {
          bracketed(predicate);
          out.append(" and ");
        }
        raw("random_sample(").value(Value.of(factor)).raw(")");
      }
      case Expr.Spatial e -> spatial(e);
      case Expr.TimestampCompare e -> timestamp(e);
    }
  }

  private void like(Expr.Like e) {
    String prefix = e.pattern().literalPrefix();
    if (prefix == null) {
      field(e.field()).raw(" like ").text(e.pattern().text());
    } else {
      raw("starts_with(").field(e.field()).raw(", ").text(prefix).raw(")");
    }
  }

  private void spatial(Expr.Spatial e) {
    raw(e.function() + "(").field(e.field()).raw(", ").text(e.wkt());
    if (e.function().equals("st_dwithin")) {
      raw(", ").value(Value.of(e.distance()));
    }
    out.append(')');
  }

  private void timestamp(Expr.TimestampCompare e) {
    TimeShift shift = e.shift();
    boolean minus = shift.months() < 0 || shift.days() < 0 || shift.seconds() < 0;
    field(e.field())
        .raw(minus ? " - INTERVAL " : " + INTERVAL ")
        .text(
            "P"
                + Math.abs(shift.months())
                + "M"
                + Math.abs(shift.days())
                + "DT"
                + Math.abs(shift.seconds())
                + "S")
        .op(e.op())
        .instant(e.instantMicros());
  }

  private FilterText instant(long micros) {
    OffsetDateTime time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    return raw("ISO ").text(ISO.format(time));
  }

  private void joined(String word, List<Expr> operands) {
    for (int i = 0; i < operands.size(); i++) {
      if (i > 0) {
        out.append(word);
      }
      bracketed(operands.get(i));
    }
  }

  private void bracketed(Expr expr) {
    out.append('(');
    write(expr);
    out.append(')');
  }

  private FilterText raw(String text) {
    out.append(text);
    return this;
  }

  private FilterText op(CompareOp op) {
    out.append(' ').append(op.text()).append(' ');
    return this;
  }

  private FilterText field(FieldRef field) {
    out.append(field.field().name());
    for (String key : field.path()) {
      out.append('[');
      if (field.isArray()) {
        out.append(key);
      } else {
        text(key);
      }
      out.append(']');
    }
    return this;
  }

  private FilterText value(Value value) {
    switch (value) {
      case Value.Bool(boolean v) -> out.append(v);
      case Value.Int(long v) -> out.append(v);
      case Value.Real(double v) -> {
        if (Double.isNaN(v) || Double.isInfinite(v)) {
          throw DbException.invalid("the value " + v + " can't be part of a filter");
        }
        out.append(v);
      }
      case Value.Text(String v) -> text(v);
      case Value.ListOf(List<Value> elements) -> {
        out.append('[');
        for (int i = 0; i < elements.size(); i++) {
          if (i > 0) {
            out.append(", ");
          }
          value(elements.get(i));
        }
        out.append(']');
      }
    }
    return this;
  }

  private FilterText text(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        default -> out.append(c);
      }
    }
    out.append('"');
    return this;
  }
}
