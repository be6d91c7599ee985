package io.elanus.wire.message;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnCodec;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FormatErrors;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.codec.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Bytes of a WAL message, version 1, little-endian:
///
/// | part | bytes |
/// | --- | --- |
/// | version | u8 = 1 |
/// | type | varint, [MessageType#number] |
/// | vchannel | text |
/// | time tick | i64 |
/// | last confirmed | i64 |
/// | txn id | varint |
/// | broadcast header | blob, JSON; empty when absent |
/// | properties | varint count, then key and value texts |
/// | body | see below |
///
/// Insert: collection, partition, segment, schema version as varints, then the column batch.
/// Delete: collection varint, partition i64, keys. Begin, commit, create-segment, flush: varints in
/// component order. Every other body is the JSON of its record. Alignment counts from the first
/// byte.
///
/// Thread-safe: stateless.
public final class MessageCodec {
  private static final int VERSION = 1;

  private MessageCodec() {}

  /// Appends the bytes of `message`; `out` must be empty, for alignment counts from its start.
  public static void encode(WalMessage message, ByteWriter out) {
    MessageHeader header = message.header();
    out.u8(VERSION).varint(message.type().number()).text(header.vchannel().name());
    out.i64(header.timeTick().value()).i64(header.lastConfirmed().value());
    out.varint(header.txnId());
    BroadcastHeader broadcast = header.broadcast();
    out.blob(broadcast == null ? new byte[0] : WireJson.write(broadcast));
    out.varint(header.properties().size());
    header.properties().forEach((key, value) -> out.text(key).text(value));
    encodeBody(message.body(), out);
  }

  public static byte[] encode(WalMessage message) {
    ByteWriter out = new ByteWriter(256);
    encode(message, out);
    return out.toArray();
  }

  private static void encodeBody(Message body, ByteWriter out) {
    switch (body) {
      case Message.TimeTick _ -> {}
      case Message.Insert insert -> {
        out.varint(insert.collectionId().value()).varint(insert.partitionId().value());
        out.varint(insert.segmentId().value()).varint(insert.schemaVersion());
        ColumnCodec.write(insert.rows(), out);
      }
      case Message.Delete delete -> {
        out.varint(delete.collectionId().value()).i64(delete.partitionId().value());
        ColumnCodec.write(delete.keys(), out);
      }
      case Message.BeginTxn begin -> out.varint(begin.keepaliveMs());
      case Message.CommitTxn commit -> out.varint(commit.bodies());
      case Message.RollbackTxn _ -> {}
      case Message.CreateSegment create -> {
        out.varint(create.collectionId().value()).varint(create.partitionId().value());
        out.varint(create.segmentId().value()).varint(create.schemaVersion());
      }
      case Message.Flush flush -> {
        out.varint(flush.collectionId().value()).varint(flush.partitionId().value());
        out.varint(flush.segmentId().value());
      }
      case Message.ManualFlush _,
          Message.CreateCollection _,
          Message.DropCollection _,
          Message.AlterCollection _,
          Message.CreatePartition _,
          Message.DropPartition _,
          Message.CreateIndex _,
          Message.AlterIndex _,
          Message.DropIndex _,
          Message.AlterLoadConfig _,
          Message.DropLoadConfig _,
          Message.CreateDatabase _,
          Message.AlterDatabase _,
          Message.DropDatabase _,
          Message.AlterAlias _,
          Message.DropAlias _ ->
          out.blob(WireJson.write(body));
    }
  }

  /// Reads a message; column data stays a view of `bytes`, which must not change afterwards. Error
  /// 1009 when the bytes are no message, 3000 when a newer version wrote it; the caller knows which
  /// record it is and says so.
  public static WalMessage decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  public static WalMessage decode(byte[] bytes, int from, int to) {
    ByteReader in = new ByteReader(bytes, from, to);
    int version = in.u8();
    if (version > VERSION) {
      throw FormatErrors.newer("WAL message", version, VERSION);
    }
    if (version != VERSION) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "WAL message version " + version + " is not known");
    }
    MessageType type = typeOf(Math.toIntExact(in.varint()));
    VChannel vchannel = new VChannel(in.text());
    HybridTs tick = new HybridTs(in.i64());
    MessageId confirmed = new MessageId(in.i64());
    long txnId = in.varint();
    byte[] broadcastJson = in.blob();
    @Nullable BroadcastHeader broadcast =
        broadcastJson.length == 0 ? null : WireJson.read(broadcastJson, BroadcastHeader.class);
    Map<String, String> properties = new TreeMap<>();
    for (long i = in.varint(); i > 0; i--) {
      properties.put(in.text(), in.text());
    }
    MessageHeader header =
        new MessageHeader(vchannel, tick, confirmed, txnId, broadcast, properties);
    return new WalMessage(header, decodeBody(type, in, from));
  }

  /// The broadcast id and targets of an encoded header, for tools.
  public static List<String> describe(WalMessage message) {
    List<String> lines = new ArrayList<>();
    lines.add(message.type() + " on " + message.vchannel() + " at " + message.timeTick());
    BroadcastHeader broadcast = message.header().broadcast();
    if (broadcast != null) {
      BroadcastId id = broadcast.id();
      lines.add("broadcast " + id + " to " + broadcast.targets());
    }
    return lines;
  }

  private static MessageType typeOf(int number) {
    for (MessageType type : MessageType.values()) {
      if (type.number() == number) {
        return type;
      }
    }
    throw DbException.described(
        ErrorCode.DATA_INTEGRITY, "WAL message type " + number + " is not known");
  }

  private static Message decodeBody(MessageType type, ByteReader in, int origin) {
    return switch (type) {
      case TIME_TICK -> new Message.TimeTick();
      case INSERT -> {
        CollectionId collection = new CollectionId(in.varint());
        PartitionId partition = new PartitionId(in.varint());
        SegmentId segment = new SegmentId(in.varint());
        int version = Math.toIntExact(in.varint());
        ColumnBatch rows = ColumnCodec.readBatch(in, origin);
        yield new Message.Insert(collection, partition, segment, version, rows);
      }
      case DELETE -> {
        CollectionId collection = new CollectionId(in.varint());
        PartitionId partition = new PartitionId(in.i64());
        PrimaryKeys keys = ColumnCodec.readKeys(in);
        yield new Message.Delete(collection, partition, keys);
      }
      case BEGIN_TXN -> new Message.BeginTxn(in.varint());
      case COMMIT_TXN -> new Message.CommitTxn(Math.toIntExact(in.varint()));
      case ROLLBACK_TXN -> new Message.RollbackTxn();
      case CREATE_SEGMENT ->
          new Message.CreateSegment(
              new CollectionId(in.varint()),
              new PartitionId(in.varint()),
              new SegmentId(in.varint()),
              Math.toIntExact(in.varint()));
      case FLUSH ->
          new Message.Flush(
              new CollectionId(in.varint()),
              new PartitionId(in.varint()),
              new SegmentId(in.varint()));
      case MANUAL_FLUSH -> json(in, Message.ManualFlush.class);
      case CREATE_COLLECTION -> json(in, Message.CreateCollection.class);
      case DROP_COLLECTION -> json(in, Message.DropCollection.class);
      case ALTER_COLLECTION -> json(in, Message.AlterCollection.class);
      case CREATE_PARTITION -> json(in, Message.CreatePartition.class);
      case DROP_PARTITION -> json(in, Message.DropPartition.class);
      case CREATE_INDEX -> json(in, Message.CreateIndex.class);
      case ALTER_INDEX -> json(in, Message.AlterIndex.class);
      case DROP_INDEX -> json(in, Message.DropIndex.class);
      case ALTER_LOAD_CONFIG -> json(in, Message.AlterLoadConfig.class);
      case DROP_LOAD_CONFIG -> json(in, Message.DropLoadConfig.class);
      case CREATE_DATABASE -> json(in, Message.CreateDatabase.class);
      case ALTER_DATABASE -> json(in, Message.AlterDatabase.class);
      case DROP_DATABASE -> json(in, Message.DropDatabase.class);
      case ALTER_ALIAS -> json(in, Message.AlterAlias.class);
      case DROP_ALIAS -> json(in, Message.DropAlias.class);
    };
  }

  private static <T extends Message> T json(ByteReader in, Class<T> type) {
    return WireJson.read(in.blob(), type);
  }
}
