package io.elanus.engine.expr.parse;

import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.tree.ArithOp;
import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.FieldRef;
import io.elanus.engine.expr.tree.LikePattern;
import io.elanus.engine.expr.tree.Value;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Pratt parser over the binding powers of the expression contract, section 2. Names, types and
/// constants are settled on the way, so that what comes out is the typed tree.
///
/// Confined to the caller.
final class Parser {
  /// Deeper nesting is refused, because parser and evaluation recurse. Chains of `and`, `or` and
  /// arithmetic don't nest.
  static final int MAX_DEPTH = 500;

  // Binding powers, loosest first.
  private static final int OR = 1;
  private static final int AND = 2;
  private static final int BIT_OR = 3;
  private static final int BIT_XOR = 4;
  private static final int BIT_AND = 5;
  private static final int EQUALITY = 6;
  private static final int RELATION = 7;
  private static final int RANGE = 8;
  private static final int TERM = 9;
  private static final int SHIFT = 10;
  private static final int SUM = 11;
  private static final int PRODUCT = 12;
  private static final int UNARY = 13;
  private static final int POWER = 14;
  private static final int LIKE = 15;
  private static final int PRIMARY = 16;

  private final Tokens tokens;
  private final Names names;
  private final Map<String, Value> templates;
  private final Functions functions;
  private int at;
  private int depth;

  Parser(Tokens tokens, CollectionSchema schema, Map<String, Value> templates, ZoneId zone) {
    this.tokens = tokens;
    this.names = new Names(schema);
    this.templates = templates;
    this.functions = new Functions(this, zone);
  }

  /// Parses everything; `text` is for the error about a rest.
  Operand parseWhole(String text) {
    Operand operand = parse(OR);
    if (peek() != TokenKind.END) {
      throw ParseFailure.plan("invalid expression: " + text);
    }
    return operand;
  }

  Operand parseOperand() {
    return parse(OR);
  }

  TokenKind peek() {
    return tokens.kind(at);
  }

  int position() {
    return at;
  }

  /// The text of the tokens from `from` up to here, without blanks.
  String textSince(int from) {
    return tokens.text(from, at);
  }

  String take(TokenKind kind, String shown) {
    if (peek() != kind) {
      String verb = peek() == TokenKind.END ? "missing " + shown + " at '" : "mismatched input '";
      String tail = peek() == TokenKind.END ? "'" : "' expecting " + shown;
      throw tokens.failure(at, verb + tokens.text(at) + tail);
    }
    return tokens.text(at++);
  }

  boolean takeIf(TokenKind kind) {
    if (peek() != kind) {
      return false;
    }
    at++;
    return true;
  }

  private Operand parse(int minPower) {
    if (++depth > MAX_DEPTH) {
      throw ParseFailure.plan("expression is nested deeper than " + MAX_DEPTH + " levels");
    }
    int from = at;
    Operand left = prefix();
    while (true) {
      int power = infixPower();
      if (power < minPower) {
        depth--;
        return left;
      }
      left = infix(left, power, from);
    }
  }

  /// Binding power of the operator at hand; 0 when there is none.
  private int infixPower() {
    return switch (peek()) {
      case OR -> OR;
      case AND -> AND;
      case BIT_OR -> BIT_OR;
      case BIT_XOR -> BIT_XOR;
      case BIT_AND -> BIT_AND;
      case EQ, NE -> EQUALITY;
      case LT, LE, GT, GE -> isRange() ? RANGE : RELATION;
      case IN -> TERM;
      case NOT -> tokens.kind(at + 1) == TokenKind.IN ? TERM : 0;
      case SHIFT_LEFT, SHIFT_RIGHT -> SHIFT;
      case PLUS, MINUS -> SUM;
      case STAR, SLASH, PERCENT -> PRODUCT;
      case POWER -> POWER;
      case LIKE -> LIKE;
      case END,
          INTEGER,
          FLOATING,
          STRING,
          BOOLEAN,
          IDENTIFIER,
          META,
          PATH,
          LPAREN,
          RPAREN,
          LBRACKET,
          RBRACKET,
          LBRACE,
          RBRACE,
          COMMA,
          ASSIGN,
          BIT_NOT,
          EXISTS,
          IS_NULL,
          IS_NOT_NULL,
          ISO,
          INTERVAL,
          MINIMUM_SHOULD_MATCH,
          TEXT_MATCH,
          PHRASE_MATCH,
          RANDOM_SAMPLE,
          CONTAINS,
          CONTAINS_ALL,
          CONTAINS_ANY,
          ARRAY_LENGTH,
          SPATIAL ->
          0;
    };
  }

  /// `op name op` with both operators in the same direction.
  private boolean isRange() {
    TokenKind name = tokens.kind(at + 1);
    if (name != TokenKind.IDENTIFIER && name != TokenKind.PATH) {
      return false;
    }
    TokenKind second = tokens.kind(at + 2);
    return isLess(peek()) ? isLess(second) : second == TokenKind.GT || second == TokenKind.GE;
  }

  private static boolean isLess(TokenKind kind) {
    return kind == TokenKind.LT || kind == TokenKind.LE;
  }

  private Operand infix(Operand left, int power, int from) {
    return switch (power) {
      case OR, AND -> junction(left, power);
      case EQUALITY, RELATION -> comparison(left, power, from);
      case RANGE -> range(left, from);
      case TERM -> term(left, from);
      case SUM, PRODUCT, BIT_AND, BIT_OR, BIT_XOR -> arithmetic(left, power);
      case POWER -> power(left, from);
      case LIKE -> like(left);
      default -> throw shift(from);
    };
  }

  private ParseFailure shift(int from) {
    at++;
    parse(SHIFT + 1);
    return ParseFailure.parameter("shift is not supported: " + textSince(from));
  }

  private Operand junction(Operand first, int power) {
    TokenKind kind = power == AND ? TokenKind.AND : TokenKind.OR;
    Junctions junction = new Junctions(power == AND);
    junction.first(first);
    while (takeIf(kind)) {
      junction.add(parse(power + 1));
    }
    return junction.finish();
  }

  private Operand comparison(Operand left, int power, int from) {
    CompareOp op = compareOp(tokens.kind(at));
    String opText = tokens.text(at++);
    Operand right = parse(power + 1);
    if (left instanceof Operand.Constant a && right instanceof Operand.Constant b) {
      refusePlaceholders(a, b, opText);
      Boolean result = Folding.compare(op, a.value(), b.value());
      if (result == null) {
        throw ParseFailure.parameter(
            "comparison operations cannot be applied to two incompatible operands: "
                + textSince(from));
      }
      return new Operand.Constant(Value.of(result));
    }
    if (power == RELATION) {
      Typing.refuseWholeArray(left);
      Typing.refuseWholeArray(right);
    }
    return new Operand.Test(Typing.compare(op, left, right));
  }

  static CompareOp compareOp(TokenKind kind) {
    return switch (kind) {
      case LT -> CompareOp.LT;
      case LE -> CompareOp.LE;
      case GT -> CompareOp.GT;
      case GE -> CompareOp.GE;
      case EQ -> CompareOp.EQ;
      default -> CompareOp.NE;
    };
  }

  private static void refusePlaceholders(Operand.Constant a, Operand.Constant b, String op) {
    if (a.template() || b.template()) {
      throw ParseFailure.parameter(
          "placeholder was not supported between two constants with operator: " + op);
    }
  }

  private Operand range(Operand left, int from) {
    String leftText = textSince(from);
    TokenKind first = tokens.kind(at++);
    FieldRef field = takeName();
    TokenKind second = tokens.kind(at++);
    int rightFrom = at;
    Operand right = parse(RANGE + 1);
    boolean ascending = isLess(first);
    Operand lower = ascending ? left : right;
    Operand upper = ascending ? right : left;
    String rightText = textSince(rightFrom);
    Typing.refuseWholeArray(new Operand.Column(field));
    Value low = bound(lower, "lowerbound", ascending ? leftText : rightText);
    Value high = bound(upper, "upperbound", ascending ? rightText : leftText);
    TokenKind lowOp = ascending ? first : second;
    TokenKind highOp = ascending ? second : first;
    return new Operand.Test(
        Typing.range(field, low, isInclusive(lowOp), high, isInclusive(highOp)));
  }

  private static boolean isInclusive(TokenKind kind) {
    return kind == TokenKind.LE || kind == TokenKind.GE;
  }

  private static Value bound(Operand operand, String which, String text) {
    if (operand instanceof Operand.Constant(Value value, boolean _)) {
      return value;
    }
    throw ParseFailure.parameter(which + " cannot be a non-const expression: " + text);
  }

  private Operand term(Operand left, int from) {
    String leftText = textSince(from);
    boolean negated = takeIf(TokenKind.NOT);
    at++;
    int rightFrom = at;
    Operand right = parse(TERM + 1);
    if (left instanceof Operand.Constant) {
      throw ParseFailure.parameter(
          "'term' can only be used on non-const expression, but got: " + leftText);
    }
    if (!(left instanceof Operand.Column(FieldRef field))) {
      throw ParseFailure.parameter("'term' can only be used on single field, but got: " + leftText);
    }
    if (!(right instanceof Operand.Constant(Value value, boolean template))) {
      throw ParseFailure.parameter(
          "value '" + textSince(rightFrom) + "' in list cannot be a non-const expression");
    }
    if (!(value instanceof Value.ListOf(List<Value> elements))) {
      throw template
          ? ParseFailure.whole(
              "the value of term expression template variable "
                  + textSince(rightFrom)
                  + " is not array")
          : ParseFailure.parameter(
              "the right-hand side of 'in' must be a list, but got: " + textSince(rightFrom));
    }
    Expr in = Typing.in(field, elements);
    return new Operand.Test(negated ? new Expr.Not(in) : in);
  }

  private Operand arithmetic(Operand left, int power) {
    ArithOp op =
        switch (tokens.kind(at)) {
          case PLUS -> ArithOp.ADD;
          case MINUS -> ArithOp.SUB;
          case STAR -> ArithOp.MUL;
          case SLASH -> ArithOp.DIV;
          case BIT_AND -> ArithOp.BIT_AND;
          case BIT_OR -> ArithOp.BIT_OR;
          case BIT_XOR -> ArithOp.BIT_XOR;
          default -> ArithOp.MOD;
        };
    at++;
    Operand right = parse(power + 1);
    if (left instanceof Operand.Constant a && right instanceof Operand.Constant b) {
      refusePlaceholders(a, b, op.text());
      return new Operand.Constant(Folding.arithmetic(op, a.value(), b.value()));
    }
    return Typing.arithmetic(op, left, right);
  }

  private Operand power(Operand left, int from) {
    at++;
    Operand right = parse(POWER + 1);
    if (!(left instanceof Operand.Constant a) || !(right instanceof Operand.Constant b)) {
      throw ParseFailure.parameter("power can only apply on constants: " + textSince(from));
    }
    Value result = Folding.power(a.value(), b.value());
    if (result == null) {
      throw ParseFailure.plan("power can only apply on numbers: " + textSince(from));
    }
    return new Operand.Constant(result);
  }

  private Operand like(Operand left) {
    at++;
    int rightFrom = at;
    Operand right = parse(LIKE + 1);
    if (!(left instanceof Operand.Column(FieldRef field))) {
      throw ParseFailure.plan("like operation on complicated expr is unsupported");
    }
    Typing.refuseWholeArray(left);
    DataType type = field.scalarType();
    if (type != DataType.VARCHAR && type != DataType.STRING && type != DataType.JSON) {
      throw ParseFailure.plan("like operation on non-string or no-json field is unsupported");
    }
    String pattern = text(right, "like pattern", "like expression", rightFrom);
    return new Operand.Test(Typing.leaf(field, new Expr.Like(field, LikePattern.of(pattern))));
  }

  /// The text of a string literal or template at `from`; `what` and `templateWhat` name it in
  /// errors.
  String text(Operand operand, String what, String templateWhat, int from) {
    if (operand instanceof Operand.Constant(Value value, boolean template)) {
      if (value instanceof Value.Text(String text)) {
        return text;
      }
      if (template) {
        throw ParseFailure.whole(
            "the value of "
                + templateWhat
                + " template variable "
                + textSince(from)
                + " is not string");
      }
    }
    throw ParseFailure.parameter(
        what + " should be a string literal or template variable, got: " + textSince(from));
  }

  private Operand prefix() {
    int from = at;
    return switch (peek()) {
      case INTEGER -> new Operand.Constant(Value.of(Literals.integer(tokens.text(at++), false)));
      case FLOATING -> new Operand.Constant(Value.of(Literals.floating(tokens.text(at++))));
      case STRING -> new Operand.Constant(Value.of(Literals.string(tokens.text(at++))));
      case BOOLEAN ->
          new Operand.Constant(Value.of(Character.toLowerCase(tokens.text(at++).charAt(0)) == 't'));
      case IDENTIFIER, META, PATH -> nameOrCall();
      case LBRACE -> template();
      case LPAREN -> {
        at++;
        Operand inner = parse(OR);
        take(TokenKind.RPAREN, "')'");
        yield inner;
      }
      case LBRACKET -> new Operand.Constant(Value.of(array()));
      case EXISTS -> {
        at++;
        int operandFrom = at;
        yield functions.exists(parse(PRIMARY), operandFrom);
      }
      case PLUS, MINUS, BIT_NOT, NOT -> unary();
      case TEXT_MATCH,
          PHRASE_MATCH,
          RANDOM_SAMPLE,
          CONTAINS,
          CONTAINS_ALL,
          CONTAINS_ANY,
          ARRAY_LENGTH,
          SPATIAL ->
          functions.call();
      case ISO -> functions.timestampReverse();
      case END -> throw tokens.failure(at, "mismatched input '<EOF>' expecting an operand");
      case RPAREN,
          RBRACKET,
          RBRACE,
          COMMA,
          ASSIGN,
          LT,
          LE,
          GT,
          GE,
          EQ,
          NE,
          STAR,
          SLASH,
          PERCENT,
          POWER,
          SHIFT_LEFT,
          SHIFT_RIGHT,
          BIT_AND,
          BIT_OR,
          BIT_XOR,
          AND,
          OR,
          IN,
          LIKE,
          IS_NULL,
          IS_NOT_NULL,
          INTERVAL,
          MINIMUM_SHOULD_MATCH ->
          throw tokens.failure(from, "no viable alternative at input '" + tokens.text(from) + "'");
    };
  }

  /// A field name, a path or `$meta` at hand.
  FieldRef takeName() {
    TokenKind kind = peek();
    if (kind == TokenKind.PATH) {
      return names.path(tokens.text(at++));
    }
    if (kind != TokenKind.IDENTIFIER && kind != TokenKind.META) {
      throw tokens.failure(at, "mismatched input '" + tokens.text(at) + "' expecting Identifier");
    }
    return names.name(tokens.text(at++));
  }

  private Operand nameOrCall() {
    TokenKind next = tokens.kind(at + 1);
    boolean identifier = peek() == TokenKind.IDENTIFIER;
    if (identifier && next == TokenKind.LPAREN) {
      return functions.userCall(tokens.text(at++));
    }
    if (identifier && functions.isTimestampCompare(tokens, at)) {
      return functions.timestampForward();
    }
    int from = at;
    FieldRef field = takeName();
    if (takeIf(TokenKind.IS_NULL)) {
      return functions.isNull(field, false, from);
    }
    if (takeIf(TokenKind.IS_NOT_NULL)) {
      return functions.isNull(field, true, from);
    }
    return new Operand.Column(field);
  }

  private Operand template() {
    at++;
    String name = take(TokenKind.IDENTIFIER, "Identifier");
    take(TokenKind.RBRACE, "'}'");
    Value value = templates.get(name);
    if (value == null) {
      throw ParseFailure.whole(
          "the value of expression template variable name {" + name + "} is not found");
    }
    return new Operand.Constant(value, true);
  }

  private List<Value> array() {
    at++;
    List<Value> elements = new ArrayList<>();
    while (peek() != TokenKind.RBRACKET) {
      elements.add(element());
      if (!takeIf(TokenKind.COMMA)) {
        break;
      }
    }
    take(TokenKind.RBRACKET, "']'");
    return elements;
  }

  /// An array element; plain literals take a short way, because lists may hold very many.
  private Value element() {
    TokenKind next = tokens.kind(at + 1);
    if (next == TokenKind.COMMA || next == TokenKind.RBRACKET) {
      if (peek() == TokenKind.INTEGER) {
        return Value.of(Literals.integer(tokens.text(at++), false));
      }
      if (peek() == TokenKind.STRING) {
        return Value.of(Literals.string(tokens.text(at++)));
      }
    }
    int from = at;
    Operand operand = parse(OR);
    if (operand instanceof Operand.Constant(Value value, boolean template) && !template) {
      return value;
    }
    throw ParseFailure.parameter(
        "array element type must be generic value, but got: " + textSince(from));
  }

  private Operand unary() {
    TokenKind op = peek();
    String opText = tokens.text(at++);
    if (op == TokenKind.MINUS && peek() == TokenKind.INTEGER && infixPowerAfterNext() < UNARY) {
      return new Operand.Constant(Value.of(Literals.integer(tokens.text(at++), true)));
    }
    Operand operand = parse(UNARY);
    if (operand instanceof Operand.Constant(Value value, boolean template) && !template) {
      return new Operand.Constant(foldUnary(op, opText, value));
    }
    if (operand instanceof Operand.Test(Expr test) && test instanceof Expr.RandomSample) {
      throw ParseFailure.plan("random sample expression cannot be used in unary expression");
    }
    Typing.refuseWholeArray(operand);
    if (op == TokenKind.PLUS) {
      return operand;
    }
    if (op != TokenKind.NOT) {
      throw ParseFailure.parameter("unexpected op: " + opText);
    }
    Expr test = Junctions.asTest(operand);
    if (test == null) {
      throw ParseFailure.parameter("not op can only be applied on boolean expression");
    }
    return new Operand.Test(new Expr.Not(test));
  }

  private int infixPowerAfterNext() {
    at++;
    int power = infixPower();
    at--;
    return power;
  }

  private static Value foldUnary(TokenKind op, String opText, Value value) {
    return switch (op) {
      case PLUS -> value;
      case NOT -> {
        if (value instanceof Value.Bool(boolean truth)) {
          yield Value.of(!truth);
        }
        throw ParseFailure.plan("not can only apply on boolean");
      }
      case MINUS -> negative(value);
      default -> throw ParseFailure.parameter("unexpected op: " + opText);
    };
  }

  private static Value negative(Value value) {
    @Nullable Value result =
        switch (value) {
          case Value.Int(long v) -> Value.of(-v);
          case Value.Real(double v) -> Value.of(-v);
          case Value.Bool _, Value.Text _, Value.ListOf _ -> null;
        };
    if (result == null) {
      throw ParseFailure.plan("minus can only apply on numbers");
    }
    return result;
  }
}
