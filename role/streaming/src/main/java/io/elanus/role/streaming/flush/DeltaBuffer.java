package io.elanus.role.streaming.flush;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.MessageId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.DeltaLog;
import io.elanus.wire.message.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Deletes of one VChannel that are not stored yet.
///
/// Owned by: the flusher's loop.
final class DeltaBuffer {
  private static final long ENTRY_BYTES = 24;

  private final List<Part> parts = new ArrayList<>();
  private MessageId first = MessageId.NONE;
  private HybridTs firstTick = HybridTs.ZERO;
  private HybridTs lastTick = HybridTs.ZERO;
  private int entries;
  private long bytes;

  private record Part(PrimaryKeys keys, HybridTs tick, long partition) {}

  /// Adds a delete whose unit begins at `from` on the log.
  void add(Message.Delete delete, HybridTs tick, MessageId from) {
    if (parts.isEmpty()) {
      first = from;
      firstTick = tick;
    }
    lastTick = tick;
    parts.add(new Part(delete.keys(), tick, delete.partitionId().value()));
    entries += delete.keys().size();
    bytes += sizeOf(delete.keys());
  }

  private static long sizeOf(PrimaryKeys keys) {
    long size = ENTRY_BYTES * keys.size();
    if (keys instanceof PrimaryKeys.Texts texts) {
      for (String text : texts.values()) {
        size += text.length();
      }
    }
    return size;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /// Where the oldest delete lies; NONE when there is none.
  MessageId first() {
    return first;
  }

  HybridTs firstTick() {
    return firstTick;
  }

  HybridTs lastTick() {
    return lastTick;
  }

  int entries() {
    return entries;
  }

  long bytes() {
    return bytes;
  }

  /// Everything, in tick order.
  DeltaLog toDeltaLog() {
    long[] ticks = new long[entries];
    long[] partitions = new long[entries];
    int at = 0;
    for (Part part : parts) {
      int to = at + part.keys.size();
      Arrays.fill(ticks, at, to, part.tick.value());
      Arrays.fill(partitions, at, to, part.partition);
      at = to;
    }
    return new DeltaLog(keys(), ticks, partitions);
  }

  private PrimaryKeys keys() {
    return switch (parts.getFirst().keys) {
      case PrimaryKeys.Longs _ -> {
        long[] all = new long[entries];
        int at = 0;
        for (Part part : parts) {
          long[] some = ((PrimaryKeys.Longs) part.keys).values();
          System.arraycopy(some, 0, all, at, some.length);
          at += some.length;
        }
        yield new PrimaryKeys.Longs(all);
      }
      case PrimaryKeys.Texts _ -> {
        String[] all = new String[entries];
        int at = 0;
        for (Part part : parts) {
          String[] some = ((PrimaryKeys.Texts) part.keys).values();
          System.arraycopy(some, 0, all, at, some.length);
          at += some.length;
        }
        yield new PrimaryKeys.Texts(all);
      }
    };
  }
}
