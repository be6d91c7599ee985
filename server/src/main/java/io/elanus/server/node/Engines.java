package io.elanus.server.node;

import io.elanus.base.error.DbException;
import io.elanus.base.loop.Threads;
import io.elanus.engine.log.EmbeddedWal;
import io.elanus.engine.log.EmbeddedWalOptions;
import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RocksMetaStore;
import io.elanus.engine.storage.object.LocalObjectStore;
import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStore;

/// The storage engines of one process.
///
/// Thread-safe: as the engines are.
public record Engines(MetaStore meta, WalBackend wal, ObjectStore objects)
    implements AutoCloseable {

  /// Embedded engines in a data folder.
  static Engines embedded(DataFolder folder, Threads threads, ServerConfig config)
      throws StartupException {
    EmbeddedWalOptions walOptions =
        EmbeddedWalOptions.DEFAULT.withSegmentBytes((long) config.walSegmentMb() << 20);
    MetaStore meta;
    try {
      meta = RocksMetaStore.open(folder.meta(), threads);
    } catch (DbException e) {
      throw new StartupException(
          "metadata in " + folder.meta() + " can't be opened: " + e.getMessage(), e);
    }
    try {
      return new Engines(
          meta,
          new EmbeddedWal(folder.wal(), threads, walOptions),
          new LocalObjectStore(folder.objects()));
    } catch (DbException e) {
      meta.close();
      throw new StartupException("storage can't be opened: " + e.getMessage(), e);
    }
  }

  /// Engines that forget everything on close.
  static Engines inMemory(Threads threads) {
    return new Engines(
        new MemoryMetaStore(threads.clock(), threads.timers()),
        new MemoryWal(),
        new MemoryObjectStore());
  }

  @Override
  public void close() {
    wal.close();
    objects.close();
    meta.close();
  }
}
