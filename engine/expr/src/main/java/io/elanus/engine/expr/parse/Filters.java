package io.elanus.engine.expr.parse;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.Value;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;

/// Filter text to typed tree (expression contract). `templates` are the values of `{name}`
/// variables.
///
/// All methods throw [DbException] with code 1100 when the filter is refused and with
/// [ErrorCode#UNIMPLEMENTED] when it is legal but can't be evaluated yet.
///
/// Thread-safe: stateless.
public final class Filters {
  public static final String QUERY_PREFIX = "failed to create query plan: ";
  public static final String DELETE_PREFIX = "failed to create delete plan: ";

  private Filters() {}

  /// The filter of a query or search; errors start with `failed to create query plan: `.
  public static Expr parseForQuery(
      String text, CollectionSchema schema, Map<String, Value> templates) {
    return parse(text, schema, templates, QUERY_PREFIX);
  }

  /// The filter of a delete; errors start with `failed to create delete plan: `. Empty and
  /// always-true filters are refused.
  public static Expr parseForDelete(
      String text, CollectionSchema schema, Map<String, Value> templates) {
    Expr expr = parse(text, schema, templates, DELETE_PREFIX);
    if (Analysis.isAlwaysTrue(expr)) {
      throw DbException.invalid("delete plan can't be empty or always true : " + text);
    }
    return expr;
  }

  /// Parses with `errorPrefix`, e.g. [#QUERY_PREFIX], in front of every error text; empty or blank
  /// text is always true.
  public static Expr parse(
      String text, CollectionSchema schema, Map<String, Value> templates, String errorPrefix) {
    return parse(text, schema, templates, ZoneOffset.UTC, errorPrefix);
  }

  /// Parses with `zone` for timestamps that name no offset.
  public static Expr parse(
      String text,
      CollectionSchema schema,
      Map<String, Value> templates,
      ZoneId zone,
      String errorPrefix) {
    Expr expr;
    try {
      expr = parseInner(text, schema, templates, zone);
    } catch (ParseFailure failure) {
      String inner = failure.getMessage();
      throw DbException.invalid(
          errorPrefix
              + (failure.isInsideExpression() ? "cannot parse expression: " + text + ": " : "")
              + inner);
    }
    String unsupported = Analysis.unsupported(expr);
    if (unsupported != null) {
      throw DbException.of(
          ErrorCode.UNIMPLEMENTED, errorPrefix + unsupported + " is not supported yet");
    }
    return expr;
  }

  private static Expr parseInner(
      String text, CollectionSchema schema, Map<String, Value> templates, ZoneId zone) {
    if (text.isBlank()) {
      return Expr.TRUE;
    }
    Tokens tokens = Lexer.tokenize(text);
    Operand operand = new Parser(tokens, schema, templates, zone).parseWhole(text);
    Expr expr = Junctions.asTest(operand);
    if (expr == null) {
      String reason =
          "predicate is not a boolean expression: " + text + ", data type: " + operand.typeName();
      // Milvus has no bare names beyond ASCII: there such a text fails to parse, and clients expect
      // to read so.
      throw text.chars().allMatch(c -> c < 128)
          ? ParseFailure.whole(reason)
          : ParseFailure.plan(reason);
    }
    return expr;
  }
}
