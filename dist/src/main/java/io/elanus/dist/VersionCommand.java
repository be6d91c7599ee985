package io.elanus.dist;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `elanus version`.
///
/// Confined to the main thread.
@Command(name = "version", description = "Prints the version.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    for (String line : new Version().getVersion()) {
      spec.commandLine().getOut().println(line);
    }
  }
}
