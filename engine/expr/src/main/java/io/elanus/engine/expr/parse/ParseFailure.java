package io.elanus.engine.expr.parse;

import io.elanus.base.error.ErrorCode;

/// A refused filter on its way to [Filters], which turns it into the contract's error.
///
/// Immutable.
final class ParseFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean insideExpression;

  private ParseFailure(String message, boolean insideExpression) {
    super(message, null, false, false);
    this.insideExpression = insideExpression;
  }

  /// `message: query plan failed`, reported as part of the expression.
  static ParseFailure plan(String message) {
    return new ParseFailure(message + ": " + ErrorCode.QUERY_PLAN.text(), true);
  }

  /// `message: invalid parameter`, reported as part of the expression.
  static ParseFailure parameter(String message) {
    return new ParseFailure(message + ": " + ErrorCode.PARAMETER_INVALID.text(), true);
  }

  /// `message: query plan failed` about the filter as a whole or its template values.
  static ParseFailure whole(String message) {
    return new ParseFailure(message + ": " + ErrorCode.QUERY_PLAN.text(), false);
  }

  /// Whether `cannot parse expression: <text>: ` belongs in front.
  boolean isInsideExpression() {
    return insideExpression;
  }
}
