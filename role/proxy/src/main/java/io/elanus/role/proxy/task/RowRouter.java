package io.elanus.role.proxy.task;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.InvariantViolation;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.route.Hashing;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.PartitionMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Splits rows and keys into the messages of their VChannels: one insert a partition, cut so that
/// no message grows too large for the log.
///
/// Thread-safe: stateless.
final class RowRouter {
  static final long MAX_MESSAGE_BYTES = 16L << 20;
  private static final int MAX_KEYS = 1 << 19;

  private RowRouter() {}

  /// The column of a field that complete rows always have.
  static Column column(ColumnBatch rows, FieldSchema field) {
    Column column = rows.column(field.id());
    if (column == null) {
      throw new InvariantViolation("rows without field " + field.name());
    }
    return column;
  }

  /// The messages that insert `rows`. `partition` counts unless the collection has a partition key.
  static Map<VChannel, List<Message>> inserts(
      CachedCollection collection, PartitionId partition, ColumnBatch rows) {
    List<VChannel> channels = collection.meta().vchannels();
    FieldSchema key = collection.partitionKey();
    Map<VChannel, List<Message>> messages = new TreeMap<>();
    if (channels.size() == 1 && key == null) {
      addInserts(messages, channels.get(0), collection, partition, rows);
      return messages;
    }
    List<PartitionId> partitions =
        key == null
            ? List.of(partition)
            : collection.hashedPartitions().stream().map(PartitionMeta::id).toList();
    int[] shards = buckets(rows, collection.primaryKey(), channels.size());
    int[] places = key == null ? new int[rows.rows()] : buckets(rows, key, partitions.size());
    @Nullable Rows[] groups = new @Nullable Rows[channels.size() * partitions.size()];
    for (int i = 0; i < shards.length; i++) {
      int group = shards[i] * partitions.size() + places[i];
      Rows members = groups[group];
      if (members == null) {
        members = new Rows();
        groups[group] = members;
      }
      members.add(i);
    }
    for (int group = 0; group < groups.length; group++) {
      Rows members = groups[group];
      if (members != null) {
        int[] indexes = members.toArray();
        addInserts(
            messages,
            channels.get(group / partitions.size()),
            collection,
            partitions.get(group % partitions.size()),
            indexes.length == rows.rows() ? rows : rows.take(indexes));
      }
    }
    return messages;
  }

  private static int[] buckets(ColumnBatch rows, FieldSchema field, int buckets) {
    return Hashing.buckets(PrimaryKeys.ofColumn(column(rows, field)), buckets);
  }

  private static void addInserts(
      Map<VChannel, List<Message>> messages,
      VChannel channel,
      CachedCollection collection,
      PartitionId partition,
      ColumnBatch rows) {
    List<Message> out = messages.computeIfAbsent(channel, c -> new ArrayList<>());
    long bytes = rows.sizeBytes();
    int parts = (int) Math.min(rows.rows(), 1 + bytes / MAX_MESSAGE_BYTES);
    int each = (rows.rows() + parts - 1) / parts;
    for (int from = 0; from < rows.rows(); from += each) {
      int to = Math.min(rows.rows(), from + each);
      ColumnBatch part = parts == 1 ? rows : rows.take(range(from, to));
      out.add(
          new Message.Insert(
              collection.id(),
              partition,
              Message.Insert.UNASSIGNED,
              collection.schema().version(),
              part));
    }
  }

  private static int[] range(int from, int to) {
    int[] indexes = new int[to - from];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = from + i;
    }
    return indexes;
  }

  /// The messages that delete `keys` in `partition` (or in all of them).
  static Map<VChannel, List<Message>> deletes(
      CachedCollection collection, PartitionId partition, PrimaryKeys keys) {
    List<VChannel> channels = collection.meta().vchannels();
    int[] shards = Hashing.buckets(keys, channels.size());
    List<Rows> perShard = new ArrayList<>();
    for (int i = 0; i < channels.size(); i++) {
      perShard.add(new Rows());
    }
    for (int i = 0; i < shards.length; i++) {
      perShard.get(shards[i]).add(i);
    }
    Map<VChannel, List<Message>> messages = new TreeMap<>();
    for (int shard = 0; shard < channels.size(); shard++) {
      int[] indexes = perShard.get(shard).toArray();
      for (int from = 0; from < indexes.length; from += MAX_KEYS) {
        int to = Math.min(indexes.length, from + MAX_KEYS);
        PrimaryKeys part =
            to - from == keys.size()
                ? keys
                : keys.take(java.util.Arrays.copyOfRange(indexes, from, to));
        messages
            .computeIfAbsent(channels.get(shard), c -> new ArrayList<>())
            .add(new Message.Delete(collection.id(), partition, part));
      }
    }
    return messages;
  }

  /// A growing list of row indexes.
  private static final class Rows {
    private int[] indexes = new int[16];
    private int size;

    void add(int index) {
      if (size == indexes.length) {
        indexes = java.util.Arrays.copyOf(indexes, size * 2);
      }
      indexes[size++] = index;
    }

    int[] toArray() {
      return java.util.Arrays.copyOf(indexes, size);
    }
  }
}
