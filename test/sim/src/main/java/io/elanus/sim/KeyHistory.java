package io.elanus.sim;

import java.util.ArrayList;
import java.util.List;

/// What one client wrote under one key, in order, and what reads of it may answer (P-01). A client
/// writes its keys one write after another, and none after a write whose outcome it doesn't know,
/// so the writes have one order; a key is then linearizable when each read answers a write that
/// isn't older than the newest one acknowledged before the read began, nor than what an earlier
/// read saw.
///
/// Confined to the thread of the simulation.
final class KeyHistory {
  /// The value of a key that is not there.
  static final long NONE = 0;

  /// A read of one key.
  record Read(long began, Level level, boolean byWriter) {}

  enum Level {
    STRONG,
    SESSION,
    BOUNDED,
    EVENTUALLY
  }

  private record Write(long value, long ackedAt) {}

  /// Bounded reads may miss what is younger; clocks that were moved are allowed for.
  private static final long BOUNDED_NANOS = 20_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final long key;
  private final List<Write> writes = new ArrayList<>();
  private final List<Write> seenFloors = new ArrayList<>();
  private boolean open;

  KeyHistory(long key) {
    this.key = key;
    writes.add(new Write(NONE, Long.MIN_VALUE));
  }

  long key() {
    return key;
  }

  /// Whether the outcome of every write is known.
  boolean isCertain() {
    return !open;
  }

  /// The last write's value.
  long last() {
    return writes.getLast().value();
  }

  void invoked(long value) {
    open = true;
    writes.add(new Write(value, NEVER));
  }

  void acked(long at) {
    open = false;
    writes.set(writes.size() - 1, new Write(writes.getLast().value(), at));
  }

  /// Null when `value` is a right answer at `now`; else what is wrong with it.
  String check(Read read, long value, long now) {
    int oldest = oldestAllowed(read);
    for (int i = oldest; i < writes.size(); i++) {
      if (writes.get(i).value() == value) {
        if (read.level() == Level.STRONG) {
          seenFloors.add(new Write(i, now));
        }
        return "";
      }
    }
    return "key "
        + key
        + ": a "
        + read.level()
        + " read answered "
        + value
        + ", allowed from #"
        + oldest
        + " of "
        + values();
  }

  private int oldestAllowed(Read read) {
    long before =
        switch (read.level()) {
          case STRONG -> read.began();
          case SESSION -> read.byWriter() ? read.began() : Long.MIN_VALUE;
          case BOUNDED -> read.began() - BOUNDED_NANOS;
          case EVENTUALLY -> Long.MIN_VALUE;
        };
    int oldest = 0;
    for (int i = 0; i < writes.size(); i++) {
      if (writes.get(i).ackedAt() < before) {
        oldest = i;
      }
    }
    if (read.level() == Level.STRONG) {
      for (Write floor : seenFloors) {
        if (floor.ackedAt() < read.began()) {
          oldest = (int) Math.max(oldest, floor.value());
        }
      }
    }
    return oldest;
  }

  private String values() {
    List<Long> values = new ArrayList<>();
    writes.forEach(write -> values.add(write.value()));
    return values + (open ? " (the last may be in or not)" : "");
  }
}
