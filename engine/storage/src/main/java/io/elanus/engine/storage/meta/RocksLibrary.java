package io.elanus.engine.storage.meta;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.jar.JarEntry;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads RocksDB's native library. RocksDB itself unpacks it into the temporary folder at every
/// start, which takes longer than everything else that opening a store does; here it is unpacked
/// once into the store's folder and loaded from there. Where that isn't possible RocksDB's own way
/// is taken.
///
/// Thread-safe: [#load] is serialised.
final class RocksLibrary {
  private static final Logger log = LoggerFactory.getLogger(RocksLibrary.class);
  private static boolean loaded;

  private RocksLibrary() {}

  /// Has to come before any org.rocksdb object is made, or the native library isn't there.
  static synchronized void load(Path cache) {
    if (loaded) {
      return;
    }
    Path folder = unpacked(cache);
    if (folder != null) {
      try {
        RocksDB.loadLibrary(List.of(folder.toAbsolutePath().toString()));
        loaded = true;
        return;
      } catch (UnsatisfiedLinkError e) {
        // For example a file system that forbids execution.
        log.atDebug().setCause(e).log("native library not usable from the store's folder");
      }
    }
    RocksDB.loadLibrary();
    loaded = true;
  }

  /// The folder that holds the library of this very version, filled if need be; null when it can't
  /// be.
  private static @Nullable Path unpacked(Path cache) {
    String resource = Environment.getJniLibraryFileName("rocksdb");
    URL url = RocksDB.class.getClassLoader().getResource(resource);
    if (url == null) {
      return null;
    }
    try {
      URLConnection connection = url.openConnection();
      if (!(connection instanceof JarURLConnection jar)) {
        return null;
      }
      JarEntry entry = jar.getJarEntry();
      if (entry == null || entry.getSize() <= 0) {
        return null;
      }
      Path folder = cache.resolve(Long.toHexString(entry.getCrc()));
      // The name that RocksDB.loadLibrary(paths) looks for.
      Path library = folder.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
      if (!Files.isRegularFile(library) || Files.size(library) != entry.getSize()) {
        unpack(connection, library);
      }
      return folder;
    } catch (IOException e) {
      log.atDebug().setCause(e).log("native library not unpacked into the store's folder");
      return null;
    }
  }

  private static void unpack(URLConnection connection, Path library) throws IOException {
    Path folder = library.resolveSibling("");
    Files.createDirectories(folder);
    Path temp = folder.resolve("unpacking");
    try {
      try (InputStream in = connection.getInputStream()) {
        Files.copy(in, temp, StandardCopyOption.REPLACE_EXISTING);
      }
      try (FileChannel file = FileChannel.open(temp, StandardOpenOption.WRITE)) {
        file.force(true);
      }
      Files.move(temp, library, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temp); // On a full disk the half of it would be in the way.
    }
  }
}
