package io.elanus.role.streaming;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.PartitionMeta;
import java.util.List;
import java.util.Map;

/// Collections and messages for tests.
final class Samples {
  static final PChannel PCHANNEL = new PChannel("by-dev-rootcoord-dml_0");
  static final PartitionId PARTITION = new PartitionId(11);
  static final PartitionId OTHER_PARTITION = new PartitionId(12);
  static final FieldId PK = new FieldId(100);
  static final FieldId VECTOR = new FieldId(101);
  static final int DIM = 4;

  private Samples() {}

  static VChannel vchannel(long collection) {
    return VChannel.of(PCHANNEL, new CollectionId(collection), 0);
  }

  static CollectionMeta collection(long id) {
    return collection(id, 1);
  }

  static CollectionMeta collection(long id, int version) {
    FieldSchema pk =
        FieldSchema.of(100, "id", DataType.INT64)
            .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false));
    FieldSchema vector =
        FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "" + DIM));
    return new CollectionMeta(
        new CollectionMeta.Owner(new DatabaseId(1), "default", new CollectionId(id)),
        new CollectionSchema("c" + id, "", false, version, List.of(pk, vector)),
        List.of(vchannel(id)),
        List.of(
            new PartitionMeta(PARTITION, "_default", HybridTs.ZERO),
            new PartitionMeta(OTHER_PARTITION, "other", HybridTs.ZERO)),
        new CollectionMeta.Options(ConsistencyLevel.BOUNDED, Map.of()),
        HybridTs.ZERO,
        HybridTs.ZERO);
  }

  static ColumnBatch rows(long firstKey, int count) {
    ColumnBuilder keys = new ColumnBuilder(DataType.INT64, 0, count);
    ColumnBuilder vectors = new ColumnBuilder(DataType.FLOAT_VECTOR, DIM, count);
    for (int i = 0; i < count; i++) {
      keys.addInteger(firstKey + i);
      vectors.addFloatVector(new float[] {firstKey + i, 1, 2, 3}, 0);
    }
    return new ColumnBatch(count, Map.of(PK, keys.build(), VECTOR, vectors.build()));
  }

  static WalMessage insert(long collection, long firstKey, int count) {
    return insert(collection, PARTITION, 1, firstKey, count);
  }

  static WalMessage insert(
      long collection, PartitionId partition, int version, long firstKey, int count) {
    return WalMessage.of(
        vchannel(collection),
        new Message.Insert(
            new CollectionId(collection),
            partition,
            Message.Insert.UNASSIGNED,
            version,
            rows(firstKey, count)));
  }

  static WalMessage delete(long collection, long... keys) {
    return WalMessage.of(
        vchannel(collection),
        new Message.Delete(
            new CollectionId(collection), Message.Delete.ALL_PARTITIONS, PrimaryKeys.of(keys)));
  }

  static WalMessage create(CollectionMeta collection) {
    return WalMessage.of(
        collection.vchannels().getFirst(), new Message.CreateCollection(collection));
  }

  static WalMessage drop(long collection) {
    return WalMessage.of(
        vchannel(collection),
        new Message.DropCollection(
            new DatabaseId(1), new CollectionId(collection), "c" + collection));
  }

  static WalMessage manualFlush(long collection) {
    return WalMessage.of(
        vchannel(collection), new Message.ManualFlush(new CollectionId(collection), List.of()));
  }

  static WalMessage broadcast(long id, WalMessage message) {
    return message.withHeader(
        message
            .header()
            .withBroadcast(
                new BroadcastHeader(
                    new BroadcastId(id), List.of(message.vchannel()), List.of(), false)));
  }
}
