package io.elanus.server.node;

import org.jspecify.annotations.Nullable;

/// The process can't start, and why: one line that says what is wrong and how to mend it. Nothing
/// was changed or lost.
public final class StartupException extends Exception {
  private static final long serialVersionUID = 1;

  public StartupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
