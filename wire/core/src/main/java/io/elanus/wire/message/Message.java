package io.elanus.wire.message;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.wire.meta.AliasMeta;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import java.util.List;

/// The body of a WAL message. DDL bodies carry the whole new state of their object, so that
/// applying one twice is harmless; times in them that are zero are set from the message's tick when
/// applied.
///
/// Immutable.
public sealed interface Message {
  MessageType type();

  /// No message with a tick up to this one's will follow (rule W-04).
  record TimeTick() implements Message {
    @Override
    public MessageType type() {
      return MessageType.TIME_TICK;
    }
  }

  /// Rows for one partition. `segmentId` is 0 until the sequencer assigns one (rule W-09). Columns:
  /// every field of the schema by id; the rows' MVCC timestamp is the message's tick (rule T-03).
  record Insert(
      CollectionId collectionId,
      PartitionId partitionId,
      SegmentId segmentId,
      int schemaVersion,
      ColumnBatch rows)
      implements Message {
    public static final SegmentId UNASSIGNED = new SegmentId(0);

    @Override
    public MessageType type() {
      return MessageType.INSERT;
    }

    public Insert withSegment(SegmentId assigned) {
      return new Insert(collectionId, partitionId, assigned, schemaVersion, rows);
    }
  }

  /// Deletes keys in one partition, or in all of them when `partitionId` is [#ALL_PARTITIONS].
  record Delete(CollectionId collectionId, PartitionId partitionId, PrimaryKeys keys)
      implements Message {
    public static final PartitionId ALL_PARTITIONS = new PartitionId(-1);

    @Override
    public MessageType type() {
      return MessageType.DELETE;
    }
  }

  record BeginTxn(long keepaliveMs) implements Message {
    @Override
    public MessageType type() {
      return MessageType.BEGIN_TXN;
    }
  }

  /// `bodies` is how many messages lie between begin and commit; a mismatch on replay is damage.
  record CommitTxn(int bodies) implements Message {
    @Override
    public MessageType type() {
      return MessageType.COMMIT_TXN;
    }
  }

  record RollbackTxn() implements Message {
    @Override
    public MessageType type() {
      return MessageType.ROLLBACK_TXN;
    }
  }

  /// Written before the first insert into a segment.
  record CreateSegment(
      CollectionId collectionId, PartitionId partitionId, SegmentId segmentId, int schemaVersion)
      implements Message {
    @Override
    public MessageType type() {
      return MessageType.CREATE_SEGMENT;
    }
  }

  /// Seals a segment: no insert into it follows. Made by the sequencer.
  record Flush(CollectionId collectionId, PartitionId partitionId, SegmentId segmentId)
      implements Message {
    @Override
    public MessageType type() {
      return MessageType.FLUSH;
    }
  }

  /// Seals all growing segments of the collection on this VChannel; `segmentIds` is filled by the
  /// sequencer with what it sealed.
  record ManualFlush(CollectionId collectionId, List<SegmentId> segmentIds) implements Message {
    public ManualFlush {
      segmentIds = List.copyOf(segmentIds);
    }

    @Override
    public MessageType type() {
      return MessageType.MANUAL_FLUSH;
    }
  }

  record CreateCollection(CollectionMeta collection) implements Message {
    @Override
    public MessageType type() {
      return MessageType.CREATE_COLLECTION;
    }
  }

  record DropCollection(DatabaseId databaseId, CollectionId collectionId, String name)
      implements Message {
    @Override
    public MessageType type() {
      return MessageType.DROP_COLLECTION;
    }
  }

  /// New state of a collection: properties, schema or name. `schemaChanged` moves `updateTs` and
  /// seals growing segments.
  record AlterCollection(CollectionMeta after, String nameBefore, boolean schemaChanged)
      implements Message {
    @Override
    public MessageType type() {
      return MessageType.ALTER_COLLECTION;
    }
  }

  record CreatePartition(CollectionId collectionId, PartitionMeta partition) implements Message {
    @Override
    public MessageType type() {
      return MessageType.CREATE_PARTITION;
    }
  }

  record DropPartition(CollectionId collectionId, PartitionId partitionId) implements Message {
    @Override
    public MessageType type() {
      return MessageType.DROP_PARTITION;
    }
  }

  record CreateIndex(IndexMeta index) implements Message {
    @Override
    public MessageType type() {
      return MessageType.CREATE_INDEX;
    }
  }

  record AlterIndex(IndexMeta after) implements Message {
    @Override
    public MessageType type() {
      return MessageType.ALTER_INDEX;
    }
  }

  record DropIndex(CollectionId collectionId, List<IndexId> indexIds) implements Message {
    public DropIndex {
      indexIds = List.copyOf(indexIds);
    }

    @Override
    public MessageType type() {
      return MessageType.DROP_INDEX;
    }
  }

  record AlterLoadConfig(LoadMeta load) implements Message {
    @Override
    public MessageType type() {
      return MessageType.ALTER_LOAD_CONFIG;
    }
  }

  record DropLoadConfig(CollectionId collectionId) implements Message {
    @Override
    public MessageType type() {
      return MessageType.DROP_LOAD_CONFIG;
    }
  }

  record CreateDatabase(DatabaseMeta database) implements Message {
    @Override
    public MessageType type() {
      return MessageType.CREATE_DATABASE;
    }
  }

  record AlterDatabase(DatabaseMeta after) implements Message {
    @Override
    public MessageType type() {
      return MessageType.ALTER_DATABASE;
    }
  }

  record DropDatabase(DatabaseId databaseId, String name) implements Message {
    @Override
    public MessageType type() {
      return MessageType.DROP_DATABASE;
    }
  }

  /// Creates an alias or moves it to another collection.
  record AlterAlias(AliasMeta alias) implements Message {
    @Override
    public MessageType type() {
      return MessageType.ALTER_ALIAS;
    }
  }

  record DropAlias(DatabaseId databaseId, String alias) implements Message {
    @Override
    public MessageType type() {
      return MessageType.DROP_ALIAS;
    }
  }
}
