package io.elanus.engine.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// The embedded [WalBackend]: a folder per PChannel with segment files and a mark, written by one
/// loop with one fsync for everything that waits. The format is docs/format/wal-record.md,
/// [SegmentHeader], [Frame] and [DurableMark].
///
/// What is promised after a crash: every answered record is there. An unanswered append may be
/// there, wholly or its first records. A log that lost an answered record refuses to open (or to be
/// read, for damage in an older segment), as long as something still proves the loss: the mark
/// (exact after the end of the process; after a power cut at most some seconds old), a later
/// record, or the position given with `open`. A disk that lies about fsync is outside the promise.
///
/// One process may use a folder. Thread-safe: `lock` guards the map, each log has its own queue.
public final class EmbeddedWal implements WalBackend {
  private final LogFiles root;
  private final Threads threads;
  private final EmbeddedWalOptions options;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeMap<PChannel, ChannelLog> logs = new TreeMap<>();

  @GuardedBy("lock")
  private int opened;

  @GuardedBy("lock")
  private boolean closed;

  public EmbeddedWal(LogFiles root, Threads threads, EmbeddedWalOptions options) {
    this.root = root;
    this.threads = threads;
    this.options = options;
  }

  /// The logs in `root`, which is created when it is missing (IO_FAILED when it can't be).
  public EmbeddedWal(Path root, Threads threads, EmbeddedWalOptions options) {
    this(disk(root), threads, options);
  }

  private static LogFiles disk(Path root) {
    try {
      return DiskFiles.at(root);
    } catch (IOException e) {
      throw DbException.described(ErrorCode.IO_FAILED, "can't create log folder " + root + ": " + e)
          .causedBy(e);
    }
  }

  @Override
  public CompletableFuture<WalLog> open(PChannel pchannel, long term, WalOpenOptions how) {
    ChannelLog log;
    synchronized (lock) {
      if (closed) {
        return CompletableFuture.failedFuture(WalErrors.closed(pchannel));
      }
      try {
        log = logOf(pchannel);
      } catch (IOException e) {
        return CompletableFuture.failedFuture(WalErrors.io(pchannel, "creating its folder", e));
      }
    }
    return log.open(term, how);
  }

  @GuardedBy("lock")
  private ChannelLog logOf(PChannel pchannel) throws IOException {
    ChannelLog log = logs.get(pchannel);
    if (log == null) {
      ChannelFiles.Opening opening =
          new ChannelFiles.Opening(
              pchannel, root.folder(folderName(pchannel)), options, salts(++opened));
      log = new ChannelLog(opening, threads.blockingLoop("wal/" + pchannel.name(), 16));
      logs.put(pchannel, log);
    }
    return log;
  }

  /// Salts needn't be secret, only differ from file to file: a record that is found where it
  /// doesn't belong, in another file's reused blocks or within a payload, then fails its checksum.
  private java.util.function.IntSupplier salts(int number) {
    Clock clock = threads.clock();
    return () -> {
      long mixed = (clock.wallMs() * 31 + number) * 0x9E3779B97F4A7C15L ^ clock.nanoTime();
      return (int) (mixed >>> 32) | 1;
    };
  }

  /// File name of a PChannel: bytes outside `[A-Za-z0-9._-]` as `%hh`, a leading dot too.
  static String folderName(PChannel pchannel) {
    StringBuilder name = new StringBuilder();
    for (byte b : pchannel.name().getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '_'
              || c == '-'
              || (c == '.' && !name.isEmpty());
      if (plain) {
        name.append(c);
      } else {
        name.append('%')
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      }
    }
    return name.toString();
  }

  @Override
  public void close() {
    List<ChannelLog> open;
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      open = List.copyOf(logs.values());
    }
    open.forEach(ChannelLog::close);
  }
}
