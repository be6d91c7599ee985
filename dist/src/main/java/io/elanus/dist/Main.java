package io.elanus.dist;

import io.elanus.server.node.SettingsPage;
import java.util.List;

/// `elanus`: picks the command. Wrong usage is one line on stderr and exit code 2.
///
/// Confined to the main thread.
public final class Main {
  private static final String HELP =
      """
      Usage: elanus COMMAND [OPTIONS]
      A vector database that speaks the Milvus wire contract.

      Commands:
        standalone  Runs a whole server in one process; stops cleanly on SIGTERM or Ctrl-C.
        settings    Prints every setting with its default, as Markdown.
        version     Prints the version.

      'elanus standalone --help' lists the server's options.\
      """;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /// Runs a command line and answers its exit code.
  static int run(String... args) {
    try {
      return dispatch(List.of(args));
    } catch (UsageException wrong) {
      System.err.println("elanus: " + wrong.getMessage());
      return UsageException.EXIT_CODE;
    } catch (Exception fault) {
      System.err.println("elanus: " + fault.getMessage());
      return 1;
    }
  }

  private static int dispatch(List<String> args) throws Exception {
    String command = args.isEmpty() ? "" : args.getFirst();
    List<String> rest = args.isEmpty() ? args : args.subList(1, args.size());
    switch (command) {
      case "standalone" -> {
        return StandaloneCommand.run(rest);
      }
      case "train" -> TrainCommand.run();
      case "settings" -> print(rest, SettingsPage.render().stripTrailing());
      case "version", "--version", "-V" -> print(rest, Version.text());
      case "help", "--help", "-h" -> print(List.of(), HELP);
      case "" -> throw new UsageException("no command given", "");
      default -> throw new UsageException("unknown command '" + command + "'", "");
    }
    return 0;
  }

  private static void print(List<String> options, String text) throws UsageException {
    if (!options.isEmpty()) {
      throw new UsageException("unexpected argument '" + options.getFirst() + "'", "");
    }
    System.out.println(text);
  }
}
