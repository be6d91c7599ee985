package io.elanus.role.streaming.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.elanus.base.error.Invariant;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.HybridTs;
import io.elanus.base.time.Timers;
import io.elanus.engine.log.WalLog;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The confirmed end of one PChannel: its newest units in memory, bounded by bytes, and the synced
/// tick. Published to by the sequencer, read by cursors at their own pace. A batch leaves memory
/// when every cursor is past it, or when the bound is reached; a cursor that is behind reads the
/// log instead.
///
/// A publication wakes the cursors of the VChannels that it concerns; the others learn the tick
/// when they ask for one or at the interval ([#wakeAll]), so that a busy VChannel doesn't cost its
/// neighbours. Readers of everything (the flusher) are woken for seals and DDL, and when some
/// amount has gathered.
///
/// Thread-safe: guarded by `lock`; cursors are woken outside it.
public final class ChannelTail {
  /// Most that is handed to a cursor at once.
  private static final long SLICE_BYTES = 8 << 20;

  /// What may wait before a reader of everything is woken for rows and deletes alone.
  private static final long LAZY_BYTES = 256 << 10;

  private final WalLog log;
  private final TailConfig config;
  private final Executor blocking;
  private final Timers timers;
  private final TailMetrics metrics;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeMap<Long, Entry> entries = new TreeMap<>();

  @GuardedBy("lock")
  private final List<TailCursor> cursors = new ArrayList<>();

  @GuardedBy("lock")
  private final TreeMap<VChannel, HybridTs> demands = new TreeMap<>();

  @GuardedBy("lock")
  private long heldBytes;

  @GuardedBy("lock")
  private MessageId end;

  @GuardedBy("lock")
  private HybridTs synced;

  @GuardedBy("lock")
  private @Nullable Throwable closed;

  private volatile boolean followed;

  /// VChannels whose DropCollection is published; left again with [#dropSeen].
  private final ConcurrentSkipListSet<VChannel> dropped = new ConcurrentSkipListSet<>();

  /// One published batch. `after` is the last position before it.
  private record Entry(
      MessageId after,
      List<WalUnit> units,
      TreeSet<VChannel> vchannels,
      HybridTs tick,
      long bytes) {}

  /// What a cursor gets.
  sealed interface Slice {
    /// Units, the tick that they reach, where to go on, and whether more is in memory.
    record Units(List<WalUnit> units, HybridTs tick, MessageId next, boolean more)
        implements Slice {}

    /// Memory doesn't reach back that far: read the log up to `end`.
    record Behind(MessageId end) implements Slice {}

    record Closed(Throwable reason) implements Slice {}
  }

  /// Starts with an empty tail at the recovered `end` and `synced` tick of `log`. Catching up reads
  /// the log on a blocking thread.
  public ChannelTail(
      WalLog log,
      MessageId end,
      HybridTs synced,
      Threads threads,
      TailConfig config,
      TailMetrics metrics) {
    this.log = log;
    this.end = end;
    this.synced = synced;
    this.blocking = threads.blocking("streaming/tail/" + log.pchannel());
    this.timers = threads.timers();
    this.config = config;
    this.metrics = metrics;
  }

  /// The next confirmed units and a tick at or above theirs. Called in log order.
  public void publish(List<WalUnit> units, MessageId last, HybridTs tick) {
    TreeSet<VChannel> vchannels = new TreeSet<>();
    long bytes = 0;
    for (WalUnit unit : units) {
      vchannels.add(unit.vchannel());
      for (WalMessage message : unit.messages()) {
        bytes += sizeOf(message);
        if (message.body() instanceof Message.DropCollection
            && !message.vchannel().isControlChannel()) {
          dropped.add(message.vchannel());
        }
      }
    }
    boolean urgent = isUrgent(units);
    List<TailCursor> woken = new ArrayList<>();
    synchronized (lock) {
      Invariant.check(last.isAfter(end), "publishing position %s after %s", last, end);
      Invariant.check(tick.isAfter(synced), "publishing tick %s after %s", tick, synced);
      for (WalUnit unit : units) {
        Invariant.check(
            unit.tick().isAfter(synced) && tick.isAtLeast(unit.tick()),
            "unit at tick %s between published ticks %s and %s",
            unit.tick(),
            synced,
            tick);
      }
      if (!cursors.isEmpty() && closed == null) {
        entries.put(last.value(), new Entry(end, List.copyOf(units), vchannels, tick, bytes));
        heldBytes += bytes;
      }
      end = last;
      synced = tick;
      evict();
      collectMet(vchannels, urgent || heldBytes >= LAZY_BYTES, woken);
    }
    woken.forEach(TailCursor::wake);
  }

  /// Whether a reader of everything has something to do with these units beyond taking note.
  private static boolean isUrgent(List<WalUnit> units) {
    for (WalUnit unit : units) {
      for (WalMessage message : unit.messages()) {
        switch (message.body()) {
          case Message.Insert _, Message.Delete _, Message.CreateSegment _ -> {}
          default -> {
            return true;
          }
        }
      }
    }
    return false;
  }

  /// Nothing at or below `tick` follows any more.
  public void publishTick(HybridTs tick) {
    List<TailCursor> woken = new ArrayList<>();
    synchronized (lock) {
      Invariant.check(tick.isAfter(synced), "publishing tick %s after %s", tick, synced);
      synced = tick;
      collectMet(new TreeSet<>(), false, woken);
    }
    woken.forEach(TailCursor::wake);
  }

  @GuardedBy("lock")
  private void collectMet(
      SortedSet<VChannel> vchannels, boolean everything, List<TailCursor> woken) {
    SortedSet<VChannel> concerned = vchannels;
    if (!demands.isEmpty()) {
      concerned = new TreeSet<>(vchannels);
      var each = demands.entrySet().iterator();
      while (each.hasNext()) {
        Map.Entry<VChannel, HybridTs> demand = each.next();
        if (synced.isAtLeast(demand.getValue())) {
          concerned.add(demand.getKey());
          each.remove();
        }
      }
    }
    for (TailCursor cursor : cursors) {
      VChannel filter = cursor.filter();
      if (filter == null ? everything : concerned.contains(filter)) {
        woken.add(cursor);
      }
    }
  }

  /// Lets every cursor see the synced tick; a reader of everything only when something is there for
  /// it.
  public void wakeAll() {
    List<TailCursor> woken = new ArrayList<>();
    synchronized (lock) {
      for (TailCursor cursor : cursors) {
        if (cursor.filter() != null || heldBytes > 0) {
          woken.add(cursor);
        }
      }
    }
    woken.forEach(TailCursor::wake);
  }

  /// Notes that readers of `vchannel` wait for `atLeast`; true when it is synced already (they are
  /// woken then), false when a newer tick has to be asked for.
  public boolean demand(VChannel vchannel, HybridTs atLeast) {
    List<TailCursor> woken = new ArrayList<>();
    synchronized (lock) {
      if (!synced.isAtLeast(atLeast)) {
        demands.merge(vchannel, atLeast, HybridTs::max);
        return false;
      }
      for (TailCursor cursor : cursors) {
        if (vchannel.equals(cursor.filter())) {
          woken.add(cursor);
        }
      }
    }
    woken.forEach(TailCursor::wake);
    return true;
  }

  /// A cursor over the units of `filter` (all when null) from position `from` on (inclusive). It
  /// doesn't deliver before [TailCursor#wake].
  public TailCursor cursor(
      @Nullable VChannel filter, MessageId from, Loop loop, UnitListener listener) {
    synchronized (lock) {
      TailCursor cursor = new TailCursor(this, filter, from, loop, listener);
      cursors.add(cursor);
      followed |= filter != null;
      metrics.scanners(1);
      return cursor;
    }
  }

  void remove(TailCursor cursor) {
    synchronized (lock) {
      if (cursors.remove(cursor)) {
        metrics.scanners(-1);
        followed = cursors.stream().anyMatch(c -> c.filter() != null);
        demands.keySet().retainAll(filters());
        evict();
      }
    }
  }

  @GuardedBy("lock")
  private SortedSet<VChannel> filters() {
    SortedSet<VChannel> filters = new TreeSet<>();
    for (TailCursor cursor : cursors) {
      VChannel filter = cursor.filter();
      if (filter != null) {
        filters.add(filter);
      }
    }
    return filters;
  }

  /// Whether anybody but the flusher reads.
  public boolean isFollowed() {
    return followed;
  }

  public HybridTs synced() {
    synchronized (lock) {
      return synced;
    }
  }

  /// The last confirmed position.
  public MessageId end() {
    synchronized (lock) {
      return end;
    }
  }

  long heldBytes() {
    synchronized (lock) {
      return heldBytes;
    }
  }

  /// The smallest position that a live cursor still has to read; behind the end when there is none.
  public MessageId needed() {
    synchronized (lock) {
      MessageId least = end.next();
      for (TailCursor cursor : cursors) {
        if (least.isAfter(cursor.next())) {
          least = cursor.next();
        }
      }
      return least;
    }
  }

  /// Ends every cursor with `reason`. Idempotent.
  public void close(Throwable reason) {
    List<TailCursor> all;
    synchronized (lock) {
      if (closed != null) {
        return;
      }
      closed = reason;
      entries.clear();
      heldBytes = 0;
      all = List.copyOf(cursors);
    }
    all.forEach(TailCursor::wake);
  }

  /// Whether the VChannel's collection was dropped, by a message that readers may not have reached
  /// yet.
  public boolean isDropped(VChannel vchannel) {
    return dropped.contains(vchannel);
  }

  /// The reader of everything has reached the drop.
  public void dropSeen(VChannel vchannel) {
    dropped.remove(vchannel);
  }

  public boolean isClosed() {
    synchronized (lock) {
      return closed != null;
    }
  }

  /// What follows position `next` for a reader of `filter`.
  Slice take(MessageId next, @Nullable VChannel filter) {
    synchronized (lock) {
      if (closed != null) {
        return new Slice.Closed(closed);
      }
      if (next.isAfter(end)) {
        return new Slice.Units(List.of(), synced, next, false);
      }
      Map.Entry<Long, Entry> found = entries.ceilingEntry(next.value());
      if (found == null || !next.isAfter(found.getValue().after())) {
        return new Slice.Behind(end);
      }
      List<WalUnit> units = new ArrayList<>();
      long bytes = 0;
      while (found != null && bytes < SLICE_BYTES) {
        Entry entry = found.getValue();
        if (filter == null || entry.vchannels().contains(filter)) {
          bytes += entry.bytes();
          addMatching(entry, next, filter, units);
        }
        Map.Entry<Long, Entry> following = entries.higherEntry(found.getKey());
        if (following == null || bytes >= SLICE_BYTES) {
          boolean atEnd = following == null;
          return new Slice.Units(
              units, atEnd ? synced : entry.tick(), new MessageId(found.getKey()).next(), !atEnd);
        }
        found = following;
      }
      throw new IllegalStateException("a slice ends within the loop");
    }
  }

  private static void addMatching(
      Entry entry, MessageId next, @Nullable VChannel filter, List<WalUnit> units) {
    for (WalUnit unit : entry.units()) {
      if (!next.isAfter(unit.last()) && (filter == null || filter.equals(unit.vchannel()))) {
        units.add(unit);
      }
    }
  }

  /// Forgets what all cursors have read. Called by cursors as they advance.
  void advanced() {
    synchronized (lock) {
      evict();
    }
  }

  @GuardedBy("lock")
  private void evict() {
    MessageId least = end.next();
    for (TailCursor cursor : cursors) {
      if (least.isAfter(cursor.next())) {
        least = cursor.next();
      }
    }
    while (!entries.isEmpty()) {
      Map.Entry<Long, Entry> oldest = entries.firstEntry();
      boolean read = oldest.getKey() < least.value();
      if (!read && heldBytes <= config.capacityBytes()) {
        return;
      }
      entries.pollFirstEntry();
      heldBytes -= oldest.getValue().bytes();
    }
  }

  WalLog log() {
    return log;
  }

  Executor blocking() {
    return blocking;
  }

  Timers timers() {
    return timers;
  }

  TailConfig config() {
    return config;
  }

  TailMetrics metrics() {
    return metrics;
  }

  private static long sizeOf(WalMessage message) {
    return 256
        + switch (message.body()) {
          case Message.Insert insert -> insert.rows().sizeBytes();
          case Message.Delete delete -> 48L * delete.keys().size();
          default -> 1024L;
        };
  }
}
