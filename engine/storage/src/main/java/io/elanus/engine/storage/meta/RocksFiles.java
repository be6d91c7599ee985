package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FormatErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The RocksDB side of [RocksMetaStore]: options, reads, one synced write a group.
///
/// Thread-safe: `guard` keeps reads away from a database that is being closed, which would crash
/// the process.
final class RocksFiles implements Backing, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RocksFiles.class);
  private static final int MANY_LOGS = 16;

  private final Path folder;
  private final List<RocksObject> owned = new ArrayList<>();
  private final WriteOptions syncWrite;
  private final RevisionMark mark;
  private final RocksDB db;
  private final ReadWriteLock guard = new ReentrantReadWriteLock();
  private boolean closed;

  private RocksFiles(Path folder, RocksOptions sizes) throws IOException, RocksDBException {
    this.folder = folder;
    Path database = folder.resolve("rocks");
    RocksDB opened = null;
    RevisionMark openedMark = null;
    try {
      Files.createDirectories(database);
      openedMark = new RevisionMark(folder);
      syncWrite = own(new WriteOptions().setSync(true));
      opened = RocksDB.open(options(sizes, countLogs(database)), database.toString());
      checkFormat(opened);
      checkHolds(opened, openedMark.revision());
      mark = openedMark;
      db = opened;
    } catch (IOException | RocksDBException | DbException e) {
      if (opened != null) {
        opened.close();
      }
      if (openedMark != null) {
        openedMark.close();
      }
      owned.reversed().forEach(RocksObject::close);
      throw e;
    }
  }

  static RocksFiles open(Path folder, RocksOptions sizes) {
    RocksLibrary.load(folder.resolve("native"));
    try {
      return new RocksFiles(folder, sizes);
    } catch (IOException | RocksDBException e) {
      throw cannotOpen(folder, e);
    }
  }

  private static DbException cannotOpen(Path folder, Exception cause) {
    String text = String.valueOf(cause.getMessage());
    ErrorCode code = text.contains("orruption") ? ErrorCode.DATA_INTEGRITY : ErrorCode.IO_FAILED;
    String advice =
        code == ErrorCode.DATA_INTEGRITY
            ? "; restore the folder from a backup"
            : "; is another process using it, is it readable, is there room?";
    return DbException.described(code, "can't open metadata in " + folder + ": " + text + advice)
        .causedBy(cause);
  }

  private static long countLogs(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      return files.filter(file -> file.toString().endsWith(".log")).count();
    }
  }

  private void checkHolds(RocksDB opened, long atLeast) throws RocksDBException {
    byte[] stored = opened.get(EntryCodec.REVISION_KEY);
    long found = stored == null ? 0 : EntryCodec.number(stored);
    if (found < atLeast) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY,
          "metadata in "
              + folder
              + " ends with revision "
              + found
              + " but revision "
              + atLeast
              + " was durable: a log file is damaged; restore the folder from a backup");
    }
  }

  private <T extends RocksObject> T own(T object) {
    owned.add(object);
    return object;
  }

  private Options options(RocksOptions sizes, long logs) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(own(new LRUCache(sizes.blockCacheBytes(), 0)))
            .setCacheIndexAndFilterBlocks(true)
            .setFilterPolicy(own(new BloomFilter(10)))
            .setFormatVersion(5);
    return own(new Options())
        .setCreateIfMissing(true)
        .setTableFormatConfig(table)
        .setWriteBufferSize(sizes.memtableBytes())
        .setMaxWriteBufferNumber(2)
        .setArenaBlockSize(256 << 10)
        .setMaxOpenFiles(sizes.maxOpenFiles())
        .setMaxFileOpeningThreads(1)
        .setMaxBackgroundJobs(2)
        .setMaxTotalWalSize(4L * sizes.memtableBytes())
        .setTargetFileSizeBase(8 << 20)
        .setMaxBytesForLevelBase(32 << 20)
        // Replay ends at the first record that isn't intact; whether that is a loss tells the mark.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setAvoidFlushDuringShutdown(true)
        // Opening is fastest when old logs are only replayed, but they mustn't pile up.
        .setAvoidFlushDuringRecovery(logs < MANY_LOGS)
        .setSkipStatsUpdateOnDbOpen(true)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(2);
  }

  private void checkFormat(RocksDB opened) throws RocksDBException {
    byte[] found = opened.get(EntryCodec.FORMAT_KEY);
    if (found == null) {
      opened.put(syncWrite, EntryCodec.FORMAT_KEY, EntryCodec.number(EntryCodec.FORMAT));
      return;
    }
    long format = EntryCodec.number(found);
    if (format > EntryCodec.FORMAT) {
      throw FormatErrors.newer("metadata in " + folder, format, EntryCodec.FORMAT);
    }
    if (format != EntryCodec.FORMAT) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY,
          "metadata in "
              + folder
              + " has format version "
              + format
              + ", which never was; restore the folder from a backup");
    }
  }

  private interface Use<T extends @Nullable Object> {
    T run() throws RocksDBException;
  }

  private <T extends @Nullable Object> T read(Use<T> use) {
    guard.readLock().lock();
    try {
      if (closed) {
        throw DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "metadata store is closed");
      }
      return use.run();
    } catch (RocksDBException e) {
      throw DbException.described(
              ErrorCode.IO_FAILED, "metadata in " + folder + ": " + e.getMessage())
          .causedBy(e);
    } finally {
      guard.readLock().unlock();
    }
  }

  long revision() {
    return read(() -> {
      byte[] stored = db.get(EntryCodec.REVISION_KEY);
      return stored == null ? 0 : EntryCodec.number(stored);
    });
  }

  @Override
  public @Nullable KeyValue get(String key) {
    return this.<@Nullable KeyValue>read(() -> {
      byte[] stored = db.get(EntryCodec.key(key));
      return stored == null ? null : EntryCodec.entry(key, stored);
    });
  }

  @Override
  public List<KeyValue> range(KeyRange range, int limit) {
    return read(() -> {
      try (ReadOptions options = new ReadOptions()) {
        return scan(range, limit, options);
      }
    });
  }

  /// Entries and the revision they were read at, from one snapshot.
  RangeResult rangeAtRevision(KeyRange range, int limit) {
    return read(() -> {
      try (Snapshot snapshot = db.getSnapshot();
          ReadOptions options = new ReadOptions().setSnapshot(snapshot)) {
        int wanted = limit == Integer.MAX_VALUE ? limit : limit + 1;
        List<KeyValue> found = scan(range, wanted, options);
        byte[] stored = db.get(options, EntryCodec.REVISION_KEY);
        long revision = stored == null ? 0 : EntryCodec.number(stored);
        boolean more = found.size() > limit;
        return new RangeResult(more ? found.subList(0, limit) : found, revision, more);
      }
    });
  }

  private List<KeyValue> scan(KeyRange range, int limit, ReadOptions options)
      throws RocksDBException {
    byte[] to = range.to() == null ? EntryCodec.end() : EntryCodec.key(range.to());
    List<KeyValue> found = new ArrayList<>();
    try (Slice upper = new Slice(to)) {
      options.setIterateUpperBound(upper);
      try (RocksIterator at = db.newIterator(options)) {
        for (at.seek(EntryCodec.key(range.from()));
            found.size() < limit && at.isValid();
            at.next()) {
          found.add(EntryCodec.entry(EntryCodec.keyOf(at.key()), at.value()));
        }
        at.status();
      }
    }
    return found;
  }

  @Override
  public void write(SortedMap<String, Overlay.Change> changes, long revision) {
    read(() -> {
      try (WriteBatch batch = new WriteBatch()) {
        for (var change : changes.entrySet()) {
          KeyValue entry = change.getValue().entry();
          if (entry == null) {
            batch.delete(EntryCodec.key(change.getKey()));
          } else {
            batch.put(EntryCodec.key(change.getKey()), EntryCodec.value(entry));
            if (!entry.lease().isNone()) {
              batch.put(EntryCodec.leaseMark(change.getKey()), new byte[0]);
            }
          }
        }
        batch.put(EntryCodec.REVISION_KEY, EntryCodec.number(revision));
        db.write(syncWrite, batch);
        writeMark(revision);
        return true;
      }
    });
  }

  private void writeMark(long revision) {
    try {
      mark.write(revision);
    } catch (IOException e) {
      // The entries are durable all the same; only their loss wouldn't be noticed.
      log.atWarn().addKeyValue("folder", folder).setCause(e).log("revision mark not written");
    }
  }

  /// Leases end with the process that granted them: deletes the keys that still name one. Marks may
  /// be left from keys that were changed since, so each entry is looked at.
  void dropLeasedKeys() {
    TreeMap<String, Overlay.Change> dead = new TreeMap<>(Keys::compare);
    List<byte[]> marks = leaseMarks();
    for (byte[] mark : marks) {
      String key = EntryCodec.keyOf(mark);
      KeyValue entry = get(key);
      if (entry != null && !entry.lease().isNone()) {
        dead.put(key, new Overlay.Change(null));
      }
    }
    if (!dead.isEmpty()) {
      write(dead, revision() + 1);
    }
    read(() -> {
      for (byte[] mark : marks) {
        db.delete(mark);
      }
      return true;
    });
  }

  private List<byte[]> leaseMarks() {
    return read(() -> {
      List<byte[]> marks = new ArrayList<>();
      try (ReadOptions options = new ReadOptions();
          Slice upper = new Slice(EntryCodec.leaseMarksEnd())) {
        options.setIterateUpperBound(upper);
        try (RocksIterator at = db.newIterator(options)) {
          for (at.seek(EntryCodec.leaseMark("")); at.isValid(); at.next()) {
            marks.add(at.key());
          }
          at.status();
        }
      }
      return marks;
    });
  }

  @Override
  public void close() {
    guard.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      db.close();
      closeMark();
      owned.reversed().forEach(RocksObject::close);
    } finally {
      guard.writeLock().unlock();
    }
  }

  private void closeMark() {
    try {
      mark.close();
    } catch (IOException e) {
      log.atWarn().addKeyValue("folder", folder).setCause(e).log("revision mark not closed");
    }
  }
}
