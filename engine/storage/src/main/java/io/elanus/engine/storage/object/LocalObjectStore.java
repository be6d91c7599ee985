package io.elanus.engine.storage.object;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Objects as files below a folder. A put writes a temporary file in `.tmp`, syncs it, moves it
/// into place and syncs the directory; what a crash leaves in `.tmp` is removed when the store is
/// opened. `putIfAbsent` links the temporary file, which fails when the name exists, so the file
/// system has to support hard links. Empty folders are removed with their last object.
///
/// One process may use a folder. Thread-safe: the file system arbitrates between objects, a lock
/// between puts and the removal of their folders.
public final class LocalObjectStore implements ObjectStore {
  private static final Logger log = LoggerFactory.getLogger(LocalObjectStore.class);
  private static final int CHUNK_BYTES = 8 << 20;

  private final Path root;
  private final Path temp;
  private final ReadWriteLock folders = new ReentrantReadWriteLock();
  private final AtomicLong tempNames = new AtomicLong();

  /// Opens or creates the store in `root`.
  public LocalObjectStore(Path root) {
    this.root = root;
    this.temp = root.resolve(ObjectKeys.TEMP_FOLDER);
    try {
      createFolders(temp);
      try (Stream<Path> leftOvers = Files.list(temp)) {
        for (Path leftOver : leftOvers.toList()) {
          Files.delete(leftOver);
        }
      }
    } catch (IOException e) {
      throw failed("can't open object store in " + root, e);
    }
  }

  private static DbException failed(String what, IOException cause) {
    return DbException.described(ErrorCode.IO_FAILED, what + ": " + cause).causedBy(cause);
  }

  private Path pathOf(String key) {
    try {
      return root.resolve(ObjectKeys.valid(key));
    } catch (InvalidPathException e) {
      throw DbException.invalid("object key can't be a file name here: " + e.getReason());
    }
  }

  @Override
  public void put(String key, ByteBuffer content) {
    put(key, out -> writeChunks(out, content));
  }

  @Override
  public void put(String key, ObjectWriter writer) {
    Path target = pathOf(key);
    Path source = writeTemp(key, writer);
    try {
      place(key, target, to -> Files.move(source, to, StandardCopyOption.ATOMIC_MOVE));
    } finally {
      discard(source);
    }
  }

  @Override
  public boolean putIfAbsent(String key, ByteBuffer content) {
    Path target = pathOf(key);
    if (Files.isRegularFile(target)) {
      return false;
    }
    Path source = writeTemp(key, out -> writeChunks(out, content));
    try {
      return place(key, target, to -> Files.createLink(to, source));
    } finally {
      discard(source);
    }
  }

  /// Large heap buffers are written in pieces: each write copies into a temporary off-heap buffer
  /// of its size, which the JDK keeps for the thread.
  private static void writeChunks(java.nio.channels.WritableByteChannel out, ByteBuffer content)
      throws IOException {
    ByteBuffer rest = content.duplicate();
    int end = rest.limit();
    while (rest.position() < end) {
      rest.limit(Math.min(end, rest.position() + CHUNK_BYTES));
      while (rest.hasRemaining()) {
        out.write(rest);
      }
    }
  }

  private Path writeTemp(String key, ObjectWriter writer) {
    Path file = temp.resolve(Long.toString(tempNames.incrementAndGet()));
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writer.writeTo(new OpenChannel(out));
      out.force(true);
      return file;
    } catch (IOException e) {
      discard(file);
      throw failed("writing object " + key, e);
    } catch (RuntimeException e) {
      discard(file);
      throw e;
    }
  }

  private static void discard(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Nothing depends on it: the next open removes it.
      log.atWarn().addKeyValue("file", file).setCause(e).log("temporary file not deleted");
    }
  }

  private interface Placement {
    void at(Path target) throws IOException;
  }

  /// Puts a file at its name and makes the name durable; false when the name was taken.
  private boolean place(String key, Path target, Placement placement) {
    Path folder = parentOf(target);
    try {
      if (!placedInFolder(folder, target, placement)) {
        placeInNewFolder(key, folder, target, placement);
      }
      forceFolderIfThere(folder);
      return true;
    } catch (IOException e) {
      if (Files.isDirectory(target)) {
        throw ObjectKeys.folderConflict(key).causedBy(e);
      }
      if (e instanceof FileAlreadyExistsException) {
        return false;
      }
      throw failed("storing object " + key, e);
    }
  }

  /// False when the folder is missing. No delete removes it meanwhile.
  private boolean placedInFolder(Path folder, Path target, Placement placement) throws IOException {
    folders.readLock().lock();
    try {
      if (!Files.isDirectory(folder)) {
        return false;
      }
      placement.at(target);
      return true;
    } finally {
      folders.readLock().unlock();
    }
  }

  private void placeInNewFolder(String key, Path folder, Path target, Placement placement)
      throws IOException {
    folders.writeLock().lock();
    try {
      makeFolder(key, folder);
      placement.at(target);
    } finally {
      folders.writeLock().unlock();
    }
  }

  private static void makeFolder(String key, Path folder) throws IOException {
    try {
      createFolders(folder);
    } catch (FileAlreadyExistsException e) {
      throw ObjectKeys.folderConflict(key).causedBy(e);
    }
  }

  private static Path parentOf(Path path) {
    Path parent = path.getParent();
    return parent == null ? Path.of(".") : parent;
  }

  private boolean liesBelowFile(Path folder) {
    for (Path at = folder; at != null && !at.equals(root); at = at.getParent()) {
      if (Files.isRegularFile(at)) {
        return true;
      }
    }
    return false;
  }

  /// Creates what is missing of `folder` and makes each new name durable in its parent. Under the
  /// write lock, or an object could be acknowledged in a folder whose own name is not durable yet.
  private static void createFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      createFolders(parent);
    }
    Files.createDirectory(folder);
    if (parent != null) {
      forceFolder(parent);
    }
  }

  private static void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private FileChannel openRead(String key, Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw ObjectKeys.notFound(key);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  private interface Use<T> {
    T with(FileChannel channel) throws IOException;
  }

  private <T> T read(String key, Use<T> use) {
    Path file = pathOf(key);
    try (FileChannel channel = openRead(key, file)) {
      return use.with(channel);
    } catch (NoSuchFileException | NotDirectoryException e) {
      throw ObjectKeys.notFound(key).causedBy(e);
    } catch (IOException e) {
      if (liesBelowFile(parentOf(file))) {
        throw ObjectKeys.notFound(key).causedBy(e);
      }
      throw failed("reading object " + key, e);
    }
  }

  @Override
  public byte[] get(String key) {
    return read(
        key,
        channel -> {
          long size = channel.size();
          if (size > Integer.MAX_VALUE - 8) {
            throw DbException.invalid("object " + key + " of " + size + " bytes exceeds an array");
          }
          byte[] bytes = new byte[(int) size];
          fill(key, channel, 0, MemorySegment.ofArray(bytes));
          return bytes;
        });
  }

  @Override
  public byte[] getRange(String key, long offset, int length) {
    byte[] bytes = new byte[length];
    readInto(key, offset, MemorySegment.ofArray(bytes));
    return bytes;
  }

  @Override
  public void readInto(String key, long offset, MemorySegment target) {
    read(
        key,
        channel -> {
          fill(key, channel, offset, target);
          return true;
        });
  }

  private static void fill(String key, FileChannel channel, long offset, MemorySegment target)
      throws IOException {
    long length = target.byteSize();
    long size = channel.size();
    if (offset < 0 || offset > size - length) {
      throw ObjectKeys.beyondEnd(key, offset, length, size);
    }
    for (long done = 0; done < length; ) {
      long chunk = Math.min(CHUNK_BYTES, length - done);
      ByteBuffer piece = target.asSlice(done, chunk).asByteBuffer();
      int count = channel.read(piece, offset + done);
      if (count < 0) {
        throw ObjectKeys.beyondEnd(key, offset, length, size);
      }
      done += count;
    }
  }

  @Override
  public MemorySegment map(String key, Arena arena) {
    return read(
        key, channel -> channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
  }

  @Override
  public boolean mapsInPlace() {
    return true;
  }

  @Override
  public List<ObjectStat> list(String prefix) {
    ObjectKeys.validPrefix(prefix);
    int lastSlash = prefix.lastIndexOf('/');
    Path start = lastSlash < 0 ? root : pathOf(prefix.substring(0, lastSlash));
    List<ObjectStat> found = new ArrayList<>();
    if (!Files.isDirectory(start)) {
      return found;
    }
    try {
      Files.walkFileTree(start, new Lister(prefix, found));
    } catch (IOException e) {
      throw failed("listing objects under " + prefix, e);
    }
    found.sort(Comparator.comparing(ObjectStat::key));
    return found;
  }

  /// Collects the files below a folder whose key starts with the prefix.
  private final class Lister extends SimpleFileVisitor<Path> {
    private final String prefix;
    private final List<ObjectStat> found;

    Lister(String prefix, List<ObjectStat> found) {
      this.prefix = prefix;
      this.found = found;
    }

    private String keyOf(Path path) {
      return root.relativize(path).toString().replace('\\', '/');
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      String key = keyOf(folder) + "/";
      boolean onTheWay = prefix.startsWith(key) || key.startsWith(prefix) || folder.equals(root);
      return onTheWay && !folder.equals(temp)
          ? FileVisitResult.CONTINUE
          : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      String key = keyOf(file);
      if (key.startsWith(prefix)) {
        found.add(new ObjectStat(key, attributes.size()));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // Deleted while we walked.
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      if (e != null && !(e instanceof NoSuchFileException)) {
        throw e;
      }
      return FileVisitResult.CONTINUE;
    }
  }

  @Override
  public boolean delete(String key) {
    Path file = pathOf(key);
    if (Files.isDirectory(file)) {
      return false;
    }
    try {
      boolean deleted = Files.deleteIfExists(file);
      if (deleted) {
        pruneFolders(parentOf(file));
      }
      return deleted;
    } catch (IOException e) {
      if (liesBelowFile(parentOf(file))) {
        return false;
      }
      throw failed("deleting object " + key, e);
    }
  }

  private void pruneFolders(Path folder) throws IOException {
    Path at = folder;
    folders.writeLock().lock();
    try {
      while (!at.equals(root) && isGoneWhenEmpty(at)) {
        at = parentOf(at);
      }
    } finally {
      folders.writeLock().unlock();
    }
    forceFolderIfThere(at);
  }

  private static boolean isGoneWhenEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }

  private static void forceFolderIfThere(Path folder) throws IOException {
    try {
      forceFolder(folder);
    } catch (NoSuchFileException e) {
      // Another delete removed it meanwhile and has made that durable further up.
      return;
    }
  }

  @Override
  public OptionalLong size(String key) {
    Path file = pathOf(key);
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.isRegularFile() ? OptionalLong.of(attributes.size()) : OptionalLong.empty();
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      if (liesBelowFile(parentOf(file))) {
        return OptionalLong.empty();
      }
      throw failed("reading size of object " + key, e);
    }
  }

  @Override
  public void close() {}
}
