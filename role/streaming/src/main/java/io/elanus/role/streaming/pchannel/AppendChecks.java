package io.elanus.role.streaming.pchannel;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.role.streaming.shard.ShardState;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.StreamingService.AppendRequest;
import org.jspecify.annotations.Nullable;

/// What an append is refused for before it changes anything.
///
/// Thread-safe: stateless.
final class AppendChecks {
  /// Below what a log engine takes as one record.
  private static final long MAX_MESSAGE_BYTES = 100L << 20;

  private AppendChecks() {}

  /// Errors that don't depend on the channel's state: 1100, and 1102 for a message above 100 MB.
  static void checkShape(AppendRequest request) {
    if (request.messages().isEmpty()) {
      throw DbException.invalid("append without messages");
    }
    boolean txn = request.atomic() && request.messages().size() > 1;
    for (WalMessage message : request.messages()) {
      if (!message.vchannel().equals(request.vchannel())) {
        throw DbException.invalid(
            "message of another channel", request.vchannel(), message.vchannel());
      }
      long bytes = PendingAppend.sizeOf(message);
      if (bytes > MAX_MESSAGE_BYTES) {
        throw DbException.described(
            ErrorCode.PARAMETER_TOO_LARGE,
            "message of " + bytes + " bytes, the limit is " + MAX_MESSAGE_BYTES);
      }
      switch (message.body()) {
        case Message.TimeTick _,
            Message.BeginTxn _,
            Message.CommitTxn _,
            Message.RollbackTxn _,
            Message.CreateSegment _,
            Message.Flush _ ->
            throw DbException.invalid(message.type() + " is made by the sequencer only");
        case Message.Insert insert -> checkData(request.vchannel(), insert.rows().rows());
        case Message.Delete delete -> checkData(request.vchannel(), delete.keys().size());
        default -> {
          if (txn) {
            throw DbException.invalid(message.type() + " can't be part of a transaction");
          }
        }
      }
    }
  }

  private static void checkData(VChannel vchannel, int count) {
    if (count == 0) {
      throw DbException.invalid("message without rows for " + vchannel);
    }
    if (vchannel.isControlChannel()) {
      throw DbException.invalid("rows can't be written to control channel " + vchannel);
    }
  }

  /// Errors 100, 200 and 109 against the state that the message will meet.
  static void checkState(WalMessage message, ChannelState state) {
    if (message.vchannel().isControlChannel()) {
      return;
    }
    ShardState shard = state.shard(message.vchannel());
    switch (message.body()) {
      case Message.Insert insert -> {
        ShardState found = require(shard, insert.collectionId(), message.vchannel());
        checkPartition(found, insert.partitionId());
        if (insert.schemaVersion() != found.schemaVersion()) {
          throw DbException.described(
              ErrorCode.COLLECTION_SCHEMA_MISMATCH,
              "collection "
                  + found.collectionId()
                  + " is at schema version "
                  + found.schemaVersion()
                  + ", the rows are of version "
                  + insert.schemaVersion());
        }
      }
      case Message.Delete delete -> {
        ShardState found = require(shard, delete.collectionId(), message.vchannel());
        if (!delete.partitionId().equals(Message.Delete.ALL_PARTITIONS)) {
          checkPartition(found, delete.partitionId());
        }
      }
      case Message.ManualFlush flush -> require(shard, flush.collectionId(), message.vchannel());
      case Message.AlterCollection alter -> require(shard, alter.after().id(), message.vchannel());
      case Message.CreatePartition create ->
          require(shard, create.collectionId(), message.vchannel());
      case Message.DropPartition drop -> require(shard, drop.collectionId(), message.vchannel());
      default -> {}
    }
  }

  private static ShardState require(
      @Nullable ShardState shard, CollectionId collection, VChannel vchannel) {
    if (shard == null || !shard.collectionId().equals(collection)) {
      throw DbException.withFields(
          ErrorCode.COLLECTION_NOT_FOUND, "collection", collection, "channel", vchannel);
    }
    return shard;
  }

  private static void checkPartition(ShardState shard, PartitionId partition) {
    if (!shard.hasPartition(partition)) {
      throw DbException.withFields(
          ErrorCode.PARTITION_NOT_FOUND,
          "collection",
          shard.collectionId(),
          "partition",
          partition);
    }
  }
}
