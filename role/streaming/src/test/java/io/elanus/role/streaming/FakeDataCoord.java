package io.elanus.role.streaming;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.Done;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Keeps what is reported; refuses everything for channels that it doesn't know.
///
/// Thread-safe: methods are synchronized.
final class FakeDataCoord implements DataCoordService {
  final TreeMap<VChannel, CollectionMeta> collections = new TreeMap<>();
  final TreeMap<SegmentId, SegmentMeta> segments = new TreeMap<>();
  final TreeMap<Long, DeltaLogMeta> deltas = new TreeMap<>();
  final TreeMap<VChannel, ChannelCheckpoint> checkpoints = new TreeMap<>();
  final List<SegmentId> flushReports = new ArrayList<>();
  private int failures;

  synchronized void add(CollectionMeta collection) {
    collection.vchannels().forEach(vchannel -> collections.put(vchannel, collection));
  }

  synchronized void remove(CollectionMeta collection) {
    collection.vchannels().forEach(collections::remove);
  }

  /// A segment that must have been reported.
  synchronized SegmentMeta segment(SegmentId segment) {
    return Objects.requireNonNull(segments.get(segment), "segment is not stored");
  }

  /// A checkpoint that must have been reported.
  synchronized ChannelCheckpoint checkpoint(VChannel vchannel) {
    return Objects.requireNonNull(checkpoints.get(vchannel), "no checkpoint");
  }

  synchronized boolean isStored(SegmentId segment) {
    return segments.containsKey(segment);
  }

  /// The next `count` reports fail with a retriable error.
  synchronized void failNext(int count) {
    failures = count;
  }

  private CompletableFuture<Done> answer(VChannel vchannel, Runnable change) {
    if (failures > 0) {
      failures--;
      return CompletableFuture.failedFuture(DbException.of(ErrorCode.SERVICE_NOT_READY, "coord"));
    }
    if (!collections.containsKey(vchannel)) {
      return CompletableFuture.failedFuture(
          DbException.withFields(ErrorCode.COLLECTION_NOT_FOUND, "channel", vchannel));
    }
    change.run();
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  @Override
  public synchronized CompletableFuture<Done> reportFlushed(
      CallContext context, SegmentMeta segment) {
    return answer(
        segment.place().vchannel(),
        () -> {
          flushReports.add(segment.id());
          segments.put(segment.id(), segment);
        });
  }

  @Override
  public synchronized CompletableFuture<Done> reportDelta(CallContext context, DeltaLogMeta delta) {
    return answer(delta.vchannel(), () -> deltas.put(delta.id(), delta));
  }

  @Override
  public synchronized CompletableFuture<Done> reportCheckpoint(
      CallContext context, ChannelCheckpoint checkpoint) {
    return answer(
        checkpoint.vchannel(),
        () -> {
          ChannelCheckpoint before = checkpoints.put(checkpoint.vchannel(), checkpoint);
          if (before != null
              && (before.position().isAfter(checkpoint.position())
                  || before.tick().isAfter(checkpoint.tick()))) {
            throw new AssertionError("checkpoint moved back: " + before + " to " + checkpoint);
          }
        });
  }

  @Override
  public synchronized CompletableFuture<ChannelRecovery> channelRecovery(
      CallContext context, FindChannelRecovery request) {
    if (failures > 0) {
      failures--;
      return CompletableFuture.failedFuture(DbException.of(ErrorCode.SERVICE_NOT_READY, "coord"));
    }
    CollectionMeta collection = collections.get(request.vchannel());
    if (collection == null) {
      return CompletableFuture.failedFuture(DbException.of(ErrorCode.COLLECTION_NOT_FOUND));
    }
    ChannelCheckpoint start =
        checkpoints.getOrDefault(
            request.vchannel(),
            new ChannelCheckpoint(request.vchannel(), MessageId.NONE, HybridTs.ZERO));
    return CompletableFuture.completedFuture(
        new ChannelRecovery(
            collection, start, List.copyOf(segments.values()), List.copyOf(deltas.values())));
  }

  private static <T> CompletableFuture<T> unsupported() {
    return CompletableFuture.failedFuture(DbException.of(ErrorCode.UNIMPLEMENTED));
  }

  @Override
  public CompletableFuture<FlushReply> flush(CallContext context, FlushCollection request) {
    return unsupported();
  }

  @Override
  public CompletableFuture<FlushState> flushState(CallContext context, FindFlushState request) {
    return unsupported();
  }

  @Override
  public CompletableFuture<RowCount> countRows(CallContext context, CountRows request) {
    return unsupported();
  }

  @Override
  public CompletableFuture<SegmentList> segments(CallContext context, ListSegments request) {
    return unsupported();
  }

  @Override
  public CompletableFuture<IndexList> indexes(CallContext context, ListIndexes request) {
    return unsupported();
  }

  @Override
  public CompletableFuture<CompactionStarted> compact(
      CallContext context, CompactCollection request) {
    return unsupported();
  }

  @Override
  public CompletableFuture<CompactionStatus> compactionStatus(
      CallContext context, FindCompaction request) {
    return unsupported();
  }
}
