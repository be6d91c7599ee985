package io.elanus.engine.expr.parse;

import static java.util.stream.Collectors.joining;

import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.ContainsMode;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.LikePattern;
import io.elanus.engine.expr.tree.TimeShift;
import io.elanus.engine.expr.tree.Value;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The function-like forms of the grammar, parsed with and for a [Parser].
///
/// Confined to the caller.
final class Functions {
  private static final double SAMPLE_MARGIN = 1e-10;
  private static final long MAX_SLOP = 0xffff_ffffL;

  private final Parser parser;
  private final ZoneId zone;

  Functions(Parser parser, ZoneId zone) {
    this.parser = parser;
    this.zone = zone;
  }

  /// `exists x`, operand parsed already.
  Operand exists(Operand operand, int from) {
    if (!(operand instanceof Operand.Column(FieldRef field))) {
      throw ParseFailure.parameter(
          "exists operations are only supported on single fields now, got: "
              + parser.textSince(from));
    }
    if (!field.isJson()) {
      throw ParseFailure.parameter(
          "exists operations are only supportted on json field, got:" + field.type().wireName());
    }
    if (field.path().isEmpty()) {
      throw ParseFailure.parameter("exists operations are only supportted on json key");
    }
    return new Operand.Test(new Expr.Exists(field));
  }

  /// `x is null`; a JSON path asks for its existence instead.
  Operand isNull(FieldRef field, boolean negated, int from) {
    if (field.type().isVector()) {
      throw ParseFailure.parameter(
          "IsNull/IsNotNull operations are not supported on vector fields");
    }
    if (field.path().isEmpty()) {
      return new Operand.Test(new Expr.IsNull(field, negated));
    }
    if (field.isArray()) {
      throw ParseFailure.parameter(
          "IsNull/IsNotNull operations are not supported on array element access, got: "
              + parser.textSince(from));
    }
    Expr exists = new Expr.Exists(field);
    return new Operand.Test(negated ? exists : new Expr.Not(exists));
  }

  /// A function whose name is a keyword.
  Operand call() {
    TokenKind kind = parser.peek();
    int from = parser.position();
    String name = parser.take(kind, "a function").toLowerCase(Locale.ROOT);
    parser.take(TokenKind.LPAREN, "'('");
    return switch (kind) {
      case CONTAINS -> contains(ContainsMode.ONE, "contains");
      case CONTAINS_ALL -> contains(ContainsMode.ALL, "contains_all");
      case CONTAINS_ANY -> contains(ContainsMode.ANY, "contains_any");
      case ARRAY_LENGTH -> arrayLength(from);
      case TEXT_MATCH -> textMatch();
      case PHRASE_MATCH -> phraseMatch();
      case RANDOM_SAMPLE -> randomSample();
      default -> spatial(name, from);
    };
  }

  private void close() {
    parser.take(TokenKind.RPAREN, "')'");
  }

  private void comma() {
    parser.take(TokenKind.COMMA, "','");
  }

  private Operand contains(ContainsMode mode, String shown) {
    int from = parser.position();
    Operand target = parser.parseOperand();
    String targetText = parser.textSince(from);
    comma();
    int elementFrom = parser.position();
    Operand element = parser.parseOperand();
    String elementText = parser.textSince(elementFrom);
    close();
    if (!(target instanceof Operand.Column(FieldRef field))
        || (!field.isJson() && !field.isArray())) {
      throw ParseFailure.parameter(
          shown + " operation are only supported on json or array fields now, got: " + targetText);
    }
    if (!(element instanceof Operand.Constant(Value value, boolean _))) {
      throw ParseFailure.parameter(
          shown
              + " operation are only supported explicitly specified element, got: "
              + elementText);
    }
    return new Operand.Test(Typing.contains(field, mode, value));
  }

  private Operand arrayLength(int from) {
    FieldRef field = parser.takeName();
    close();
    if (!field.isJson() && !field.isArray()) {
      throw ParseFailure.parameter(
          "array_length operation are only supported on json or array fields now, got: "
              + parser.textSince(from));
    }
    return new Operand.Length(field);
  }

  private FieldRef matchedField(String what) {
    int from = parser.position();
    FieldRef field = parser.takeName();
    if (field.type() != DataType.VARCHAR && field.type() != DataType.STRING) {
      throw ParseFailure.plan(what + " match operation on non-string is unsupported");
    }
    String enabled = field.field().typeParams().getOrDefault("enable_match", "false");
    if (!enabled.equalsIgnoreCase("true")) {
      throw ParseFailure.parameter(
          "field \"" + parser.textSince(from) + "\" does not enable match");
    }
    comma();
    return field;
  }

  private Operand textMatch() {
    FieldRef field = matchedField("text");
    int from = parser.position();
    String query =
        parser.text(parser.parseOperand(), "text_match query", "text_match expression", from);
    int minimum = 1;
    if (parser.takeIf(TokenKind.COMMA)) {
      parser.take(TokenKind.MINIMUM_SHOULD_MATCH, "minimum_should_match");
      parser.take(TokenKind.ASSIGN, "'='");
      minimum = minimumShouldMatch(parser.take(TokenKind.INTEGER, "IntegerConstant"));
    }
    close();
    return new Operand.Test(new Expr.TextMatch(field, query, minimum));
  }

  private static int minimumShouldMatch(String literal) {
    long value;
    try {
      value = Literals.integer(literal, false);
    } catch (ParseFailure e) {
      throw ParseFailure.parameter("invalid minimum_should_match value: " + literal);
    }
    if (value < 1) {
      throw ParseFailure.parameter("minimum_should_match should be >= 1, got: " + value);
    }
    if (value > 1000) {
      throw ParseFailure.parameter("minimum_should_match should be <= 1000, got: " + value);
    }
    return (int) value;
  }

  private Operand phraseMatch() {
    FieldRef field = matchedField("phrase");
    int from = parser.position();
    String query =
        parser.text(parser.parseOperand(), "phrase_match query", "phrase_match expression", from);
    long slop = 0;
    if (parser.takeIf(TokenKind.COMMA)) {
      int slopFrom = parser.position();
      Operand operand = parser.parseOperand();
      String text = parser.textSince(slopFrom);
      if (!(operand instanceof Operand.Constant(Value.Int(long value), boolean _))) {
        throw ParseFailure.parameter(
            "\"slop\" should be a const integer expression with \"uint32\" value. \"slop\""
                + " expression passed: "
                + text);
      }
      if (value < 0) {
        throw ParseFailure.parameter(
            "\"slop\" should not be a negative interger. \"slop\" passed: " + text);
      }
      if (value > MAX_SLOP) {
        throw ParseFailure.parameter(
            "\"slop\" exceeds the range of \"uint32\". \"slop\" expression passed: " + text);
      }
      slop = value;
    }
    close();
    return new Operand.Test(new Expr.PhraseMatch(field, query, slop));
  }

  private Operand randomSample() {
    int from = parser.position();
    Operand operand = parser.parseOperand();
    String text = parser.textSince(from);
    close();
    if (!(operand instanceof Operand.Constant(Value value, boolean _)) || !value.isNumber()) {
      throw ParseFailure.parameter(
          "\"float factor\" should be a const float expression: \"float factor\" passed: " + text);
    }
    double factor = value instanceof Value.Real(double real) ? real : 0;
    if (factor <= SAMPLE_MARGIN || factor >= 1 - SAMPLE_MARGIN) {
      throw ParseFailure.parameter(
          "the sample factor should be between 0 and 1 and not too close to 0 or 1(the difference"
              + " should be larger than 1e-10), but got "
              + text);
    }
    return new Operand.Test(new Expr.RandomSample(null, factor));
  }

  /// The function's name in error texts: `STWithin` of `st_within`.
  private static String shown(String function) {
    return function.equals("st_dwithin")
        ? "ST_DWITHIN"
        : "ST" + Character.toUpperCase(function.charAt(3)) + function.substring(4);
  }

  private Operand spatial(String name, int from) {
    FieldRef field = parser.takeName();
    comma();
    int wktFrom = parser.position();
    Operand shape = parser.parseOperand();
    if (field.type() != DataType.GEOMETRY) {
      parser.takeIf(TokenKind.RPAREN);
      throw ParseFailure.parameter(
          shown(name)
              + " operation are only supported on geometry fields now, got: "
              + parser.textSince(from));
    }
    String wkt = parser.text(shape, "WKT string", "GIS WKT", wktFrom);
    double distance = 0;
    if (name.equals("st_dwithin")) {
      comma();
      int distanceFrom = parser.position();
      Operand operand = parser.parseOperand();
      if (!(operand instanceof Operand.Constant(Value value, boolean _))
          || !value.isNumber()
          || value.asDouble() < 0) {
        throw ParseFailure.parameter(
            "distance parameter must be a non-negative number, got: "
                + parser.textSince(distanceFrom));
      }
      distance = value.asDouble();
    }
    close();
    return new Operand.Test(new Expr.Spatial(field, name, wkt, distance));
  }

  /// `name(arguments)` of a name that is no keyword; the name is taken already.
  Operand userCall(String name) {
    parser.take(TokenKind.LPAREN, "'('");
    List<Operand> arguments = new ArrayList<>();
    while (parser.peek() != TokenKind.RPAREN) {
      arguments.add(parser.parseOperand());
      if (!parser.takeIf(TokenKind.COMMA)) {
        break;
      }
    }
    close();
    String function = name.toLowerCase(Locale.ROOT);
    if (function.equals("empty") && arguments.size() == 1) {
      FieldRef field = textColumn(arguments.get(0));
      if (field != null) {
        return new Operand.Test(new Expr.Compare(field, CompareOp.EQ, Value.of("")));
      }
    }
    if (function.equals("starts_with") && arguments.size() == 2) {
      FieldRef field = textColumn(arguments.get(0));
      if (field != null
          && arguments.get(1) instanceof Operand.Constant(Value.Text(String prefix), boolean _)) {
        return new Operand.Test(new Expr.Like(field, LikePattern.startingWith(prefix)));
      }
    }
    String types = arguments.stream().map(Functions::signatureType).collect(joining(", "));
    throw ParseFailure.plan("function " + function + "(" + types + ") not found");
  }

  private static @Nullable FieldRef textColumn(Operand operand) {
    return operand instanceof Operand.Column(FieldRef field)
            && (field.type() == DataType.VARCHAR || field.type() == DataType.STRING)
        ? field
        : null;
  }

  /// An argument's type as the contract's signatures spell it: `int64_t`, `float`, `string`.
  private static String signatureType(Operand operand) {
    String name = operand.typeName();
    return switch (name) {
      case "Int8", "Int16", "Int32", "Int64" -> name.toLowerCase(Locale.ROOT) + "_t";
      case "VarChar", "String" -> "string";
      default -> name.toLowerCase(Locale.ROOT);
    };
  }

  /// Whether `name op ISO` or `name ± INTERVAL` starts at `at`.
  boolean isTimestampCompare(Tokens tokens, int at) {
    TokenKind next = tokens.kind(at + 1);
    TokenKind after = tokens.kind(at + 2);
    return after == TokenKind.INTERVAL
        ? next == TokenKind.PLUS || next == TokenKind.MINUS
        : after == TokenKind.ISO && isComparison(next);
  }

  private static boolean isComparison(TokenKind kind) {
    return kind == TokenKind.LT
        || kind == TokenKind.LE
        || kind == TokenKind.GT
        || kind == TokenKind.GE
        || kind == TokenKind.EQ
        || kind == TokenKind.NE;
  }

  Operand timestampForward() {
    FieldRef field = timestampField();
    TimeShift shift = shift();
    CompareOp op = comparison();
    return timestampCompare(field, shift, op, instant());
  }

  Operand timestampReverse() {
    long instant = instant();
    CompareOp op = comparison().swapped();
    FieldRef field = timestampField();
    return timestampCompare(field, shift(), op, instant);
  }

  private static Operand timestampCompare(
      FieldRef field, @Nullable TimeShift shift, CompareOp op, long instant) {
    return new Operand.Test(
        shift == null
            ? new Expr.Compare(field, op, Value.of(instant))
            : new Expr.TimestampCompare(field, shift, op, instant));
  }

  private FieldRef timestampField() {
    FieldRef field = parser.takeName();
    if (field.type() != DataType.TIMESTAMPTZ) {
      throw ParseFailure.parameter(
          "field '" + field.field().name() + "' is not a timestamptz datatype");
    }
    return field;
  }

  private @Nullable TimeShift shift() {
    TokenKind sign = parser.peek();
    if (sign != TokenKind.PLUS && sign != TokenKind.MINUS) {
      return null;
    }
    parser.take(sign, "'+'");
    parser.take(TokenKind.INTERVAL, "INTERVAL");
    String text = Literals.string(parser.take(TokenKind.STRING, "StringLiteral"));
    return Timestamps.shift(text, sign == TokenKind.MINUS);
  }

  private CompareOp comparison() {
    TokenKind kind = parser.peek();
    parser.take(isComparison(kind) ? kind : TokenKind.EQ, "a comparison");
    return Parser.compareOp(kind);
  }

  private long instant() {
    parser.take(TokenKind.ISO, "ISO");
    String text = Literals.string(parser.take(TokenKind.STRING, "StringLiteral"));
    return Timestamps.instantMicros(text, zone);
  }
}
