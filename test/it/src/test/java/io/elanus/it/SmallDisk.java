package io.elanus.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A file system of a fixed size that only processes started through [#wrapper()] see: a tmpfs in a
/// mount namespace of its own, held by a process that waits. It is gone on close.
final class SmallDisk implements AutoCloseable {
  private final Process holder;
  private final Path folder;

  private SmallDisk(Process holder, Path folder) {
    this.holder = holder;
    this.folder = folder;
  }

  /// Mounts one on `folder`; none where the system does not let this user make namespaces.
  static Optional<SmallDisk> mount(Path folder, int mib) throws IOException {
    Process holder;
    try {
      holder =
          new ProcessBuilder(
                  "unshare",
                  "--user",
                  "--map-root-user",
                  "--mount",
                  "sh",
                  "-c",
                  "mount -t tmpfs -o size=" + mib + "m small \"$0\" && echo mounted && exec cat",
                  folder.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return Optional.empty(); // No such command here.
    }
    String said =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (!"mounted".equals(said)) {
      holder.destroyForcibly();
      return Optional.empty();
    }
    return Optional.of(new SmallDisk(holder, folder));
  }

  /// What to put before a command, so that it sees the disk.
  List<String> wrapper() {
    return List.of(
        "nsenter",
        "--target",
        Long.toString(holder.pid()),
        "--user",
        "--preserve-credentials",
        "--mount");
  }

  /// Takes `mib` of the space.
  void takeSpace(int mib) throws IOException, InterruptedException {
    run("dd", "if=/dev/zero", "of=" + folder.resolve("ballast"), "bs=1M", "count=" + mib);
  }

  /// Gives back what [#takeSpace] took.
  void freeSpace() throws IOException, InterruptedException {
    run("rm", folder.resolve("ballast").toString());
  }

  private void run(String... command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(wrapper());
    whole.addAll(List.of(command));
    Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  @Override
  public void close() {
    holder.destroyForcibly();
  }
}
