package io.elanus.wire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.PartitionMeta;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
  private static final PChannel PCHANNEL = PChannel.of("by-dev-rootcoord-dml", 0);
  private static final VChannel VCHANNEL = VChannel.of(PCHANNEL, new CollectionId(7), 0);

  @Test
  void insertComesBackWithItsRows() {
    ColumnBuilder ids = new ColumnBuilder(DataType.INT64, 0, 2);
    ids.addInteger(5);
    ids.addInteger(-6);
    ColumnBatch rows = new ColumnBatch(2, Map.of(new FieldId(100), ids.build()));
    Message.Insert insert =
        new Message.Insert(new CollectionId(7), new PartitionId(8), new SegmentId(9), 3, rows);

    Message.Insert read = (Message.Insert) roundTrip(WalMessage.of(VCHANNEL, insert)).body();

    assertThat(read.segmentId()).isEqualTo(new SegmentId(9));
    Column column = Objects.requireNonNull(read.rows().column(new FieldId(100)));
    assertThat(column.longAt(1)).isEqualTo(-6);
  }

  @Test
  void headerComesBackWhole() {
    BroadcastHeader broadcast =
        new BroadcastHeader(
            new BroadcastId(4),
            List.of(VCHANNEL, PCHANNEL.controlChannel()),
            List.of(ResourceKey.sharedCluster()),
            true);
    MessageHeader header =
        new MessageHeader(
            VCHANNEL, new HybridTs(-5), new MessageId(3), 17, broadcast, Map.of("_ik", "2:1:x"));
    Message.Delete delete =
        new Message.Delete(
            new CollectionId(7), Message.Delete.ALL_PARTITIONS, PrimaryKeys.of("a", "b"));

    WalMessage message = new WalMessage(header, delete);

    assertThat(roundTrip(message)).isEqualTo(message);
  }

  @Test
  void schemaInACreateCollectionComesBackWhole() {
    FieldSchema key =
        FieldSchema.of(100, "id", DataType.INT64)
            .withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false));
    FieldSchema vector =
        FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "8"));
    FieldSchema filled =
        new FieldSchema(
            new FieldId(102),
            "grade",
            "",
            DataType.INT32,
            null,
            FieldSchema.Flags.NONE,
            Map.of(),
            new FieldSchema.DefaultValue.Whole(5));
    CollectionMeta meta =
        new CollectionMeta(
            new CollectionMeta.Owner(new DatabaseId(1), "default", new CollectionId(7)),
            new CollectionSchema("c", "", false, 0, List.of(key, vector, filled)),
            List.of(VCHANNEL),
            List.of(new PartitionMeta(new PartitionId(8), "_default", HybridTs.ZERO)),
            new CollectionMeta.Options(ConsistencyLevel.BOUNDED, Map.of("timezone", "UTC")),
            HybridTs.ZERO,
            HybridTs.ZERO);
    WalMessage message = WalMessage.of(VCHANNEL, new Message.CreateCollection(meta));

    assertThat(roundTrip(message)).isEqualTo(message);
  }

  @Test
  void newerVersionIsRefusedForGood() {
    byte[] bytes = MessageCodec.encode(WalMessage.of(VCHANNEL, new Message.TimeTick()));
    bytes[0] = 9;

    assertThatThrownBy(() -> MessageCodec.decode(bytes))
        .isInstanceOfSatisfying(
            DbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OPERATION_UNSUPPORTED);
              assertThat(e.isRetriable()).isFalse();
            })
        .hasMessageContainingAll("format version 9", "reads up to 1", "the newer version");
  }

  @Test
  void versionThatNeverWasIsAnIntegrityError() {
    byte[] bytes = MessageCodec.encode(WalMessage.of(VCHANNEL, new Message.TimeTick()));
    bytes[0] = 0;

    assertThatThrownBy(() -> MessageCodec.decode(bytes))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY))
        .hasMessageContaining("version 0");
  }

  private static WalMessage roundTrip(WalMessage message) {
    return MessageCodec.decode(MessageCodec.encode(message));
  }
}
