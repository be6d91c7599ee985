package io.elanus.dist;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `elanus`: picks the command. Wrong usage is one line on stderr and exit code 2.
///
/// Confined to the main thread.
@Command(
    name = "elanus",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "A vector database that speaks the Milvus wire contract.",
    subcommands = {
      StandaloneCommand.class,
      SettingsCommand.class,
      VersionCommand.class,
      TrainCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /// Runs a command line and answers its exit code.
  static int run(String... args) {
    CommandLine line = new CommandLine(new Main());
    line.setParameterExceptionHandler((wrong, _) -> {
      CommandLine command = wrong.getCommandLine();
      command
          .getErr()
          .println(
              "elanus: "
                  + wrong.getMessage()
                  + "; see '"
                  + command.getCommandSpec().qualifiedName()
                  + " --help'");
      return CommandLine.ExitCode.USAGE;
    });
    line.setExecutionExceptionHandler((fault, command, _) -> {
      command.getErr().println("elanus: " + fault.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    });
    line.setErr(new PrintWriter(System.err, true, java.nio.charset.StandardCharsets.UTF_8));
    return line.execute(args);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
