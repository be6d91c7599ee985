package io.elanus.role.query.delegator;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.PartitionId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Deletes of the WAL that are not in the delta logs of the view yet, in tick order: a segment that
/// joins the view gets them first. Trimmed whenever a view's delta tick moves, so its size is what
/// the flusher leaves between two delta logs.
///
/// Owned by: the shard's loop.
final class DeleteBuffer {
  record Entry(PartitionId partition, PrimaryKeys keys, HybridTs tick) {
    boolean concerns(PartitionId of) {
      return partition.equals(Message.Delete.ALL_PARTITIONS) || partition.equals(of);
    }

    long[] ticks() {
      long[] ticks = new long[keys.size()];
      java.util.Arrays.fill(ticks, tick.value());
      return ticks;
    }
  }

  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private HybridTs trimmedTo = HybridTs.ZERO;

  void add(Entry entry) {
    entries.add(entry);
  }

  /// Forgets deletes up to `deltaTick`: they are in delta logs.
  void trim(HybridTs deltaTick) {
    trimmedTo = HybridTs.max(trimmedTo, deltaTick);
    while (!entries.isEmpty() && trimmedTo.isAtLeast(entries.peekFirst().tick)) {
      entries.removeFirst();
    }
  }

  /// Deletes up to here are gone from the buffer.
  HybridTs trimmedTo() {
    return trimmedTo;
  }

  List<Entry> entries() {
    return new ArrayList<>(entries);
  }

  int size() {
    return entries.size();
  }
}
