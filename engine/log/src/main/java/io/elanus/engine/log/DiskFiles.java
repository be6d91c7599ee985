package io.elanus.engine.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// [LogFiles] on a real folder.
///
/// Thread-safe: stateless.
public final class DiskFiles implements LogFiles {
  private final Path root;

  private DiskFiles(Path root) {
    this.root = root;
  }

  /// The files of `root`, which is created when it is missing.
  public static DiskFiles at(Path root) throws IOException {
    createFolders(root);
    return new DiskFiles(root);
  }

  private static void createFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      createFolders(parent);
    }
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    if (parent != null) {
      force(parent);
    }
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public LogFiles folder(String name) throws IOException {
    return at(root.resolve(name));
  }

  @Override
  public String describe(String name) {
    return root.resolve(name).toString();
  }

  @Override
  public List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(root)) {
      files.filter(Files::isRegularFile).forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  @Override
  public LogFile create(String name) throws IOException {
    return new DiskFile(
        FileChannel.open(
            root.resolve(name),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  @Override
  public LogFile open(String name) throws IOException {
    return new DiskFile(
        FileChannel.open(root.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(root.resolve(name));
  }

  @Override
  public void forceFolder() throws IOException {
    force(root);
  }

  private record DiskFile(FileChannel channel) implements LogFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return channel.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      long at = position;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
