package io.elanus.role.streaming.flush;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of one growing segment that are not stored yet, or only where they lie on the log.
///
/// Owned by: the flusher's loop.
final class SegmentBuffer {
  /// What a column costs besides its bytes.
  private static final long COLUMN_BYTES = 200;

  private final SegmentId id;
  private final PartitionId partition;
  private final FlushBudget budget;
  private @Nullable List<Held> held = new ArrayList<>();
  private MessageId first = MessageId.NONE;
  private MessageId last = MessageId.NONE;
  private HybridTs firstTick = HybridTs.ZERO;
  private long heldBytes;
  private int rows;

  /// Rows that became visible at `tick`.
  record Held(ColumnBatch rows, HybridTs tick) {}

  SegmentBuffer(SegmentId id, PartitionId partition, FlushBudget budget) {
    this.id = id;
    this.partition = partition;
    this.budget = budget;
  }

  SegmentId id() {
    return id;
  }

  PartitionId partition() {
    return partition;
  }

  /// Adds an insert whose unit lies at `[from, to]` on the log.
  void add(Message.Insert insert, HybridTs tick, MessageId from, MessageId to) {
    if (first.isNone()) {
      first = from;
      firstTick = tick;
    }
    last = to;
    rows += insert.rows().rows();
    List<Held> list = held;
    if (list != null) {
      list.add(new Held(insert.rows(), tick));
      long bytes = insert.rows().sizeBytes() + COLUMN_BYTES * (1 + insert.rows().columns().size());
      heldBytes += bytes;
      budget.take(bytes);
    }
  }

  /// Where its first row lies; NONE when it has none.
  MessageId first() {
    return first;
  }

  HybridTs firstTick() {
    return firstTick;
  }

  MessageId last() {
    return last;
  }

  int rows() {
    return rows;
  }

  long heldBytes() {
    return heldBytes;
  }

  /// The rows, or null when they have to be read again.
  @Nullable List<Held> held() {
    return held;
  }

  /// Lets the rows go.
  void spill() {
    held = null;
    budget.give(heldBytes);
    heldBytes = 0;
  }
}
