/// The write-ahead log of a PChannel: SPI and the embedded engine.
///
/// Start with [WalBackend], [WalLog] and [WalReader]. [EmbeddedWal] keeps one segmented log per
/// PChannel in a folder (format: docs/format/wal-record.md); [MemoryWal] keeps nothing.
///
/// Invariants: an append is answered only after its records are durable; records are answered, read
/// and recovered in one order; after a higher term has opened a log, no append of a lower one
/// succeeds; a log that lacks a record which was known to be durable is an error, never a shorter
/// log.
@NullMarked
package io.elanus.engine.log;

import org.jspecify.annotations.NullMarked;
