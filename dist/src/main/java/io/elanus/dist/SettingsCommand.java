package io.elanus.dist;

import io.elanus.server.node.SettingsPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `elanus settings`: the reference page.
///
/// Confined to the main thread.
@Command(name = "settings", description = "Prints every setting with its default, as Markdown.")
final class SettingsCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().getOut().print(SettingsPage.render());
    spec.commandLine().getOut().flush();
  }
}
