package io.elanus.server.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The folder that holds everything a standalone server stores: `meta/`, `wal/`, `objects/`, a
/// `LOCK` that one process holds at a time, and `FORMAT`, the version of its layout.
///
/// Thread-safe: immutable but for the lock, which is closed once.
public final class DataFolder implements AutoCloseable {
  /// Version of the layout; raised when an older program could not read what this one writes.
  public static final int FORMAT = 1;

  /// What a start may leave before the format is written.
  private static final List<String> OWN_FILES = List.of("LOCK", "FORMAT.tmp", "logs");

  private final Path root;
  private final FileChannel channel;
  private final FileLock lock;

  private DataFolder(Path root, FileChannel channel, FileLock lock) {
    this.root = root;
    this.channel = channel;
    this.lock = lock;
  }

  /// Makes the folder when it is missing, takes its lock and checks its format.
  public static DataFolder open(Path root) throws StartupException {
    try {
      Files.createDirectories(root);
    } catch (FileAlreadyExistsException e) {
      throw new StartupException(
          root + " is a file, not a folder; choose another folder with --data", e);
    } catch (IOException e) {
      throw unwritable(root, e);
    }
    FileChannel channel;
    try {
      channel =
          FileChannel.open(
              root.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw unwritable(root, e);
    }
    try {
      FileLock lock = lock(root, channel);
      checkFormat(root);
      return new DataFolder(root, channel, lock);
    } catch (StartupException e) {
      closeQuietly(channel, e);
      throw e;
    }
  }

  private static FileLock lock(Path root, FileChannel channel) throws StartupException {
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    } catch (IOException e) {
      throw unwritable(root, e);
    }
    if (lock == null) {
      throw new StartupException(
          "data folder "
              + root
              + " is in use by another server; stop that one or choose another folder with --data",
          null);
    }
    return lock;
  }

  private static void checkFormat(Path root) throws StartupException {
    Path file = root.resolve("FORMAT");
    try {
      if (!Files.exists(file)) {
        if (holdsOtherFiles(root)) {
          throw new StartupException(
              root + " is not empty and was not made by Elanus; choose an empty folder with --data",
              null);
        }
        Path fresh = root.resolve("FORMAT.tmp");
        Files.writeString(fresh, FORMAT + "\n");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        return;
      }
      String text = Files.readString(file).strip();
      int format = Integer.parseInt(text);
      if (format > FORMAT) {
        throw new StartupException(
            "data folder "
                + root
                + " has format "
                + format
                + ", this version reads up to "
                + FORMAT
                + "; start it with the newer version that wrote it",
            null);
      }
    } catch (NumberFormatException e) {
      throw new StartupException(
          file + " is damaged: it should hold a number; restore it from a backup", e);
    } catch (IOException e) {
      throw unwritable(root, e);
    }
  }

  private static boolean holdsOtherFiles(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .map(path -> String.valueOf(path.getFileName()))
          .anyMatch(name -> !OWN_FILES.contains(name));
    }
  }

  private static StartupException unwritable(Path root, IOException cause) {
    return new StartupException(
        "data folder "
            + root
            + " can't be written ("
            + cause.getMessage()
            + "); give the server write access or choose another folder with --data",
        cause);
  }

  private static void closeQuietly(FileChannel channel, Exception because) {
    try {
      channel.close();
    } catch (IOException e) {
      because.addSuppressed(e);
    }
  }

  public Path meta() {
    return root.resolve("meta");
  }

  public Path wal() {
    return root.resolve("wal");
  }

  public Path objects() {
    return root.resolve("objects");
  }

  public Path root() {
    return root;
  }

  /// Frees the folder for another process.
  @Override
  public void close() throws IOException {
    if (lock.isValid()) {
      lock.release();
    }
    channel.close();
  }
}
