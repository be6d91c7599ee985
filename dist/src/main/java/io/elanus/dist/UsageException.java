package io.elanus.dist;

/// A command line that can't be understood; the message is the one line a user sees.
final class UsageException extends Exception {
  static final int EXIT_CODE = 2;

  private static final long serialVersionUID = 1;

  /// Says what is wrong with a command's arguments and where help is; command "" is `elanus`
  /// itself.
  UsageException(String what, String command) {
    super(what + "; see 'elanus " + (command.isEmpty() ? "" : command + " ") + "--help'");
  }
}
