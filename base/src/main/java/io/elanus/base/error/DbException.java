package io.elanus.base.error;

import org.jspecify.annotations.Nullable;

/// The one exception of the product: a documented code, a message in the contract's shape
/// (`context: base text[name=value]: description`), and whom it blames.
///
/// Immutable.
public final class DbException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final Blame blame;
  private final boolean retriable;

  private DbException(
      ErrorCode code, String message, Blame blame, boolean retriable, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.blame = blame;
    this.retriable = retriable;
  }

  /// `message` as it is, nothing added.
  public static DbException verbatim(ErrorCode code, String message) {
    return new DbException(code, message, code.blame(), code.isRetriable(), null);
  }

  /// `context: base text`.
  public static DbException of(ErrorCode code, String context) {
    return verbatim(code, context + ": " + code.text());
  }

  /// The bare base text.
  public static DbException of(ErrorCode code) {
    return verbatim(code, code.text());
  }

  /// `base text[name=value]...` from alternating names and values.
  public static DbException withFields(ErrorCode code, Object... namesAndValues) {
    StringBuilder text = new StringBuilder(code.text());
    for (int i = 0; i + 1 < namesAndValues.length; i += 2) {
      text.append('[')
          .append(namesAndValues[i])
          .append('=')
          .append(namesAndValues[i + 1])
          .append(']');
    }
    return verbatim(code, text.toString());
  }

  /// `base text: description`, the shape of service errors.
  public static DbException described(ErrorCode code, String description) {
    return verbatim(code, code.text() + ": " + description);
  }

  /// Code 1100, `message: invalid parameter`.
  public static DbException invalid(String message) {
    return of(ErrorCode.PARAMETER_INVALID, message);
  }

  /// Code 1100, `message: invalid parameter[expected=X][actual=Y]`.
  public static DbException invalid(String message, Object expected, Object actual) {
    String head = message.isEmpty() ? "" : message + ": ";
    return verbatim(
        ErrorCode.PARAMETER_INVALID,
        head + "invalid parameter[expected=" + expected + "][actual=" + actual + "]");
  }

  /// Code 65535 around a fault that nobody foresaw; keeps the cause for the log.
  public static DbException unexpected(String message, Throwable cause) {
    return new DbException(ErrorCode.UNEXPECTED, message, Blame.SYSTEM, false, cause);
  }

  /// The same error with `context: ` in front.
  public DbException inContext(String context) {
    return new DbException(code, context + ": " + getMessage(), blame, retriable, this);
  }

  /// The same error with another cause attached.
  public DbException causedBy(Throwable cause) {
    return new DbException(code, String.valueOf(getMessage()), blame, retriable, cause);
  }

  /// The same error, worth trying again whatever its code says.
  public DbException asRetriable() {
    return new DbException(code, String.valueOf(getMessage()), blame, true, getCause());
  }

  /// The same error marked as the caller's mistake (and so never retriable).
  public DbException asInput() {
    return new DbException(code, String.valueOf(getMessage()), Blame.INPUT, false, getCause());
  }

  public ErrorCode code() {
    return code;
  }

  public Blame blame() {
    return blame;
  }

  /// False for the caller's mistakes whatever the code says (errors.md, section 1).
  public boolean isRetriable() {
    return retriable && blame != Blame.INPUT;
  }
}
