package io.elanus.engine.storage.meta;

/// Sizes of a [RocksMetaStore]; the defaults suit a metadata store of up to some hundred megabytes
/// in a small process.
///
/// Immutable.
public record RocksOptions(
    int memtableBytes, int blockCacheBytes, int maxOpenFiles, int maxPendingTxns) {
  public static final RocksOptions DEFAULT = new RocksOptions(4 << 20, 4 << 20, 64, 16_384);
}
