package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.HybridTs;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.role.coord.part.CoordinatorPart;
import io.elanus.role.coord.part.PartContext;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.Done;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Segments, flush, indexes and compaction of the active coordinator.
///
/// Reports of workers are durable before they are answered and may come any number of times. What
/// is derived from them (index builds, compactions, removals) starts at once and again after a
/// restart.
///
/// Thread-safe: every request runs on the data loop.
public final class SegmentsPart implements DataCoordService, CoordinatorPart {
  private static final int MAILBOX = 100_000;

  private final LoopWork work;
  private final CatalogView catalog;
  private final SegmentCatalog segments;
  private final IndexScheduler indexing;
  private final CompactionScheduler compaction;
  private final CompactionJobs jobs;
  private final GarbageCollector garbage;
  private final Flushes flushes;
  private final SegmentsConfig config;
  private volatile SegmentListener listener = (_, _) -> {};
  private volatile SegmentUse use = (_, _, _) -> false;
  private boolean started;

  /// Makes its own loop on the threads of `context`.
  public SegmentsPart(PartContext context, SegmentsConfig config) {
    this(context, config, LoopWork.of(threads(context), "coord/data", MAILBOX));
  }

  /// On a loop given from outside.
  public SegmentsPart(PartContext context, SegmentsConfig config, LoopWork work) {
    this.work = work;
    this.config = config;
    this.catalog = context.catalog();
    this.segments = new SegmentCatalog(context.store(), work);
    IdSource ids = new IdSource(context.tso(), work);
    IndexScheduler.Parts parts =
        new IndexScheduler.Parts(work, catalog, segments, context.deps().nodes().dataNodes(), ids);
    this.indexing = new IndexScheduler(parts, config.indexing(), this::indexed);
    this.garbage =
        new GarbageCollector(
            parts,
            context.deps().stores().objects(),
            config.garbage(),
            (collection, vchannel, segment) -> use.isUsed(collection, vchannel, segment));
    this.compaction = new CompactionScheduler(parts, config.compaction(), new Compactions());
    this.jobs = new CompactionJobs(context.store(), work, segments, compaction, ids);
    this.flushes = new Flushes(context.deps().wal());
  }

  private static Threads threads(PartContext context) {
    return context.deps().runtime().threads();
  }

  /// Who follows what is stored, and who knows what is still read. Before [#start].
  public void attach(SegmentListener newListener, SegmentUse newUse) {
    listener = newListener;
    use = newUse;
  }

  /// The loop that owns this part and those that look into it.
  public LoopWork work() {
    return work;
  }

  /// What is stored; on the loop only.
  public SegmentCatalog stored() {
    return segments;
  }

  @Override
  public CompletableFuture<Void> start() {
    return CompletableFuture.allOf(segments.open(), jobs.open())
        .thenCompose(_ ->
            work.submit(() -> {
              begin();
              return CompletableFuture.completedFuture(Done.INSTANCE);
            }))
        .thenAccept(_ -> {});
  }

  private void begin() {
    started = true;
    for (CollectionSegments state : List.copyOf(segments.all())) {
      indexing.review(state.id());
      retire(state.id());
      dropMissingPartitions(state.id());
      dropMissingIndexes(state.id());
      compaction.touch(state.id());
    }
    jobs.resume();
    garbage.start();
  }

  @Override
  public void close() {
    work.post(() -> {
      indexing.close();
      compaction.close();
      garbage.close();
    });
    work.close();
  }

  // Events of the catalog.

  @Override
  public void collectionDropped(CollectionMeta collection) {
    work.post(() -> garbage.collectionDropped(collection.id()));
  }

  @Override
  public void partitionDropped(CollectionMeta collection, PartitionMeta partition) {
    work.post(() -> dropMissingPartitions(collection.id()));
  }

  @Override
  public void indexCreated(IndexMeta index) {
    work.post(() -> {
      if (started) {
        indexing.review(index.collectionId());
        storedChanged(index.collectionId());
      }
    });
  }

  @Override
  public void indexAltered(IndexMeta index) {
    work.post(() -> {
      indexing.forgetFailures(index.id());
      indexCreated(index);
    });
  }

  @Override
  public void indexDropped(IndexMeta index) {
    work.post(() -> dropMissingIndexes(index.collectionId()));
  }

  private void storedChanged(CollectionId id) {
    CollectionMeta collection = catalog.collection(id);
    if (collection != null) {
      collection.vchannels().forEach(vchannel -> listener.storedChanged(id, vchannel));
    }
  }

  /// Marks segments of partitions that are gone as dropped.
  private void dropMissingPartitions(CollectionId id) {
    if (!started || catalog.collection(id) == null) {
      return;
    }
    work.then(
        segments.change(
            id,
            (state, change) -> {
              int dropped = 0;
              for (SegmentRecord record : state.records()) {
                if (!record.isDropped()
                    && dropped < SegmentsConfig.Compaction.MAX_INPUTS
                    && isPartitionGone(record.meta())) {
                  change.put(record.dropped());
                  dropped++;
                }
              }
              return dropped;
            }),
        outcome -> {
          if (outcome instanceof Outcome.Done<Integer>(var dropped) && dropped > 0) {
            storedChanged(id);
            garbage.review(id);
            dropMissingPartitions(id); // The rest, beyond the size of one transaction.
          }
        });
  }

  private boolean isPartitionGone(SegmentMeta segment) {
    CollectionMeta collection = catalog.collection(segment.place().collectionId());
    return collection != null && collection.partition(segment.place().partitionId()) == null;
  }

  /// Takes indexes that are not defined any more off the segments.
  private void dropMissingIndexes(CollectionId id) {
    if (!started || catalog.collection(id) == null) {
      return;
    }
    List<String> paths = new ArrayList<>();
    work.then(
        segments.change(
            id,
            (state, change) -> {
              TreeSet<IndexId> defined = new TreeSet<>();
              catalog.indexes(id).forEach(index -> defined.add(index.id()));
              int changed = 0;
              for (SegmentRecord record : state.records()) {
                List<SegmentIndexMeta> kept =
                    record.meta().indexes().stream()
                        .filter(index -> defined.contains(index.indexId()))
                        .toList();
                if (kept.size() < record.meta().indexes().size()
                    && changed < SegmentsConfig.Compaction.MAX_INPUTS) {
                  record.meta().indexes().stream()
                      .filter(index -> !kept.contains(index))
                      .forEach(index -> paths.add(index.path()));
                  change.put(record.withMeta(record.meta().withIndexes(kept)));
                  changed++;
                }
              }
              return changed;
            }),
        outcome -> {
          if (outcome instanceof Outcome.Done<Integer>(var changed) && changed > 0) {
            paths.forEach(garbage::discard);
            storedChanged(id);
            dropMissingIndexes(id);
          }
        });
  }

  // Events of the loop's own workers.

  private void indexed(CollectionId collection, SegmentRecord record) {
    listener.storedChanged(collection, record.meta().place().vchannel());
  }

  private final class Compactions implements CompactionScheduler.Observer {
    @Override
    public void swapped(CompactionPlan plan, SegmentId output) {
      indexing.review(plan.collection());
      listener.storedChanged(plan.collection(), plan.place().vchannel());
      retire(plan.collection());
      garbage.review(plan.collection());
    }

    @Override
    public void discard(String path) {
      garbage.discard(path);
    }
  }

  /// Told when a segment that was in use no longer is; on the loop.
  public void useChanged(CollectionId collection) {
    retire(collection);
  }

  /// Marks replaced segments that no view reads any more as dropped.
  private void retire(CollectionId id) {
    boolean any = segments.of(id).records().stream().anyMatch(record -> isRetirable(id, record));
    if (!any) {
      return;
    }
    work.then(
        segments.change(
            id,
            (state, change) -> {
              int dropped = 0;
              for (SegmentRecord record : state.records()) {
                if (isRetirable(id, record) && dropped < SegmentsConfig.Compaction.MAX_INPUTS) {
                  change.put(record.dropped());
                  dropped++;
                }
              }
              return dropped;
            }),
        outcome -> {
          if (outcome instanceof Outcome.Done<Integer>(var dropped) && dropped > 0) {
            garbage.review(id);
            retire(id);
          }
        });
  }

  private boolean isRetirable(CollectionId id, SegmentRecord record) {
    return record.isReplaced() && !use.isUsed(id, record.meta().place().vchannel(), record.id());
  }

  // What the load part asks, on the loop.

  /// The segment with its finished indexes, those without a file included.
  public SegmentMeta withFinishedIndexes(SegmentRecord record) {
    CollectionId id = record.meta().place().collectionId();
    CollectionMeta collection = catalog.collection(id);
    return collection == null
        ? record.meta().withIndexes(List.of())
        : IndexRules.withFinished(
            record.meta(), catalog.indexes(id), collection, config.indexing().minRows());
  }

  /// Whether no index of the segment is still to come: each is built, needs no file, or fails.
  public boolean isIndexed(SegmentRecord record) {
    CollectionId id = record.meta().place().collectionId();
    CollectionMeta collection = catalog.collection(id);
    if (collection == null) {
      return true;
    }
    for (IndexMeta index : catalog.indexes(id)) {
      if (IndexRules.isMissing(record.meta(), index, collection, config.indexing().minRows())
          && indexing.failureOf(id, record.id(), index.id()) == null) {
        return false;
      }
    }
    return true;
  }

  /// An index file can't be read: it counts as not built from now on, and is built again.
  public void indexDamaged(CollectionId collection, SegmentId segment, String path) {
    work.then(
        segments.change(
            collection,
            (state, change) -> {
              SegmentRecord record = state.record(segment);
              if (record == null) {
                return false;
              }
              List<SegmentIndexMeta> sound =
                  record.meta().indexes().stream().filter(i -> !i.path().equals(path)).toList();
              if (sound.size() < record.meta().indexes().size()) {
                change.put(record.withMeta(record.meta().withIndexes(sound)));
                return true;
              }
              return false;
            }),
        outcome -> {
          if (outcome instanceof Outcome.Done<Boolean>(var changed) && changed) {
            garbage.discard(path);
            indexing.review(collection);
            storedChanged(collection);
          }
        });
  }

  // Requests.

  /// Runs a request on the loop; error 1 until the stored state is read.
  private <T> CompletableFuture<T> serve(Supplier<CompletableFuture<T>> request) {
    return work.submit(() -> {
      if (!started) {
        throw DbException.described(
            ErrorCode.SERVICE_NOT_READY, "the coordinator is reading its segments");
      }
      return request.get();
    });
  }

  private CollectionMeta find(CollectionId id) {
    CollectionMeta collection = catalog.collection(id);
    if (collection == null) {
      throw DbException.withFields(ErrorCode.COLLECTION_NOT_FOUND, "collection", id);
    }
    return collection;
  }

  private static <T> CompletableFuture<T> now(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @Override
  public CompletableFuture<FlushReply> flush(CallContext context, FlushCollection request) {
    return serve(() -> {
      CollectionMeta collection = find(request.collectionId());
      return flushes
          .seal(context, collection)
          .thenCompose(sealed ->
              serve(() ->
                  now(
                      new FlushReply(
                          sealed.segments(),
                          flushedOf(collection.id(), sealed.segments()),
                          sealed.tick()))));
    });
  }

  private List<SegmentId> flushedOf(CollectionId id, List<SegmentId> sealed) {
    return segments.of(id).live().stream()
        .map(SegmentRecord::id)
        .filter(segment -> !sealed.contains(segment))
        .toList();
  }

  @Override
  public CompletableFuture<FlushState> flushState(CallContext context, FindFlushState request) {
    return serve(() -> {
      @Nullable CollectionId id = request.collectionId();
      if (id.value() == 0) {
        // Clients that wait for a flush name the segments only.
        if (request.segmentIds().isEmpty()) {
          return now(new FlushState(true));
        }
        id = ownerOfAny(request.segmentIds());
        if (id == null) {
          return now(new FlushState(false));
        }
      }
      return now(new FlushState(isFlushed(find(id), request)));
    });
  }

  /// The collection that one of the segments is stored for; null while none is stored.
  private @Nullable CollectionId ownerOfAny(List<SegmentId> wanted) {
    for (CollectionSegments state : segments.all()) {
      for (SegmentId segment : wanted) {
        SegmentRecord record = state.record(segment);
        if (record != null) {
          return record.meta().place().collectionId();
        }
      }
    }
    return null;
  }

  private boolean isFlushed(CollectionMeta collection, FindFlushState request) {
    CollectionSegments state = segments.of(collection.id());
    for (VChannel vchannel : collection.vchannels()) {
      if (!state.storedTo(vchannel).isAtLeast(request.flushTs())) {
        return false;
      }
    }
    if (!request.flushTs().equals(HybridTs.ZERO)) {
      // A segment sealed at or before flushTs was stored when the checkpoint passed it; that it is
      // not known now means that it was compacted or dropped since.
      return true;
    }
    return request.segmentIds().stream().allMatch(id -> state.record(id) != null);
  }

  @Override
  public CompletableFuture<RowCount> countRows(CallContext context, CountRows request) {
    return serve(() -> {
      CollectionMeta collection = find(request.collectionId());
      long rows = 0;
      for (SegmentRecord record : segments.of(collection.id()).live()) {
        boolean wanted =
            request.partitionId() == null
                || record.meta().place().partitionId().equals(request.partitionId());
        rows += wanted ? record.meta().stats().rows() : 0;
      }
      return now(new RowCount(rows));
    });
  }

  @Override
  public CompletableFuture<SegmentList> segments(CallContext context, ListSegments request) {
    return serve(() -> {
      CollectionMeta collection = find(request.collectionId());
      return now(
          new SegmentList(
              segments.of(collection.id()).live().stream()
                  .map(this::withFinishedIndexes)
                  .toList()));
    });
  }

  @Override
  public CompletableFuture<IndexList> indexes(CallContext context, ListIndexes request) {
    return serve(() -> {
      CollectionMeta collection = find(request.collectionId());
      IndexProgress progress =
          new IndexProgress(
              collection, segments.of(collection.id()), indexing, config.indexing().minRows());
      return now(
          new IndexList(
              catalog.indexes(collection.id()).stream()
                  .map(index -> progress.of(index, request.asOf()))
                  .toList()));
    });
  }

  @Override
  public CompletableFuture<CompactionStarted> compact(
      CallContext context, CompactCollection request) {
    return serve(() -> {
      CollectionMeta collection = find(request.collectionId());
      if (request.major()) {
        boolean hasKey =
            collection.schema().fields().stream().anyMatch(f -> f.flags().clusteringKey());
        throw DbException.of(
            hasKey ? ErrorCode.UNIMPLEMENTED : ErrorCode.COMPACTION_CLUSTERING_UNSUPPORTED);
      }
      return jobs.start(collection.id());
    });
  }

  @Override
  public CompletableFuture<CompactionStatus> compactionStatus(
      CallContext context, FindCompaction request) {
    return serve(() -> now(jobs.status(request.compactionId())));
  }

  // Reports.

  @Override
  public CompletableFuture<Done> reportFlushed(CallContext context, SegmentMeta segment) {
    return serve(() -> {
      CollectionId id = segment.place().collectionId();
      if (garbage.isDropping(id)) {
        return now(Done.INSTANCE); // Its files go with the rest of the collection.
      }
      if (garbage.wasRemoved(segment.path())) {
        throw DbException.withFields(ErrorCode.IO_KEY_NOT_FOUND, "key", segment.path());
      }
      CompletableFuture<Boolean> stored =
          segments.change(
              id,
              (state, change) -> {
                if (state.record(segment.id()) != null) {
                  return false;
                }
                SegmentRecord record = SegmentRecord.live(segment.withState(SegmentState.FLUSHED));
                change.put(isPartitionGone(segment) ? record.dropped() : record);
                return true;
              });
      work.then(
          stored,
          outcome -> {
            if (outcome instanceof Outcome.Done<Boolean>(var isNew) && isNew) {
              indexing.review(id);
              listener.storedChanged(id, segment.place().vchannel());
              compaction.touch(id);
              garbage.review(id);
            }
          });
      return stored.thenApply(_ -> Done.INSTANCE);
    });
  }

  @Override
  public CompletableFuture<Done> reportDelta(CallContext context, DeltaLogMeta delta) {
    return serve(() -> {
      CollectionId id = delta.collectionId();
      if (garbage.isDropping(id)) {
        return now(Done.INSTANCE);
      }
      CompletableFuture<Boolean> stored =
          segments.change(
              id,
              (state, change) -> {
                if (state.delta(delta.id()) != null) {
                  return false;
                }
                change.put(delta);
                return true;
              });
      work.then(
          stored,
          outcome -> {
            if (outcome instanceof Outcome.Done<Boolean>(var isNew) && isNew) {
              listener.storedChanged(id, delta.vchannel());
              compaction.touch(id);
            }
          });
      return stored.thenApply(_ -> Done.INSTANCE);
    });
  }

  @Override
  public CompletableFuture<Done> reportCheckpoint(
      CallContext context, ChannelCheckpoint checkpoint) {
    return serve(() -> {
      CollectionId id = Channels.collectionOf(checkpoint.vchannel());
      if (garbage.isDropping(id)) {
        return now(Done.INSTANCE);
      }
      CompletableFuture<Boolean> stored =
          segments.change(
              id,
              (state, change) -> {
                ChannelCheckpoint before = state.checkpoint(checkpoint.vchannel());
                if (before != null && !isAhead(checkpoint, before)) {
                  return false;
                }
                change.put(checkpoint);
                return true;
              });
      work.then(
          stored,
          outcome -> {
            if (outcome instanceof Outcome.Done<Boolean>(var moved) && moved) {
              listener.storedChanged(id, checkpoint.vchannel());
              garbage.review(id);
            }
          });
      return stored.thenApply(_ -> Done.INSTANCE);
    });
  }

  private static boolean isAhead(ChannelCheckpoint checkpoint, ChannelCheckpoint before) {
    return checkpoint.tick().isAfter(before.tick())
        && !before.position().isAfter(checkpoint.position());
  }

  @Override
  public CompletableFuture<ChannelRecovery> channelRecovery(
      CallContext context, FindChannelRecovery request) {
    return serve(() -> now(recovery(request.vchannel())));
  }

  /// Where a consumer of the channel starts and what is stored; on the loop. Replaced and dropped
  /// segments are listed too as long as a replay can meet their rows: they are not growing data.
  public ChannelRecovery recovery(VChannel vchannel) {
    CollectionId id = Channels.collectionOf(vchannel);
    CollectionMeta collection = find(id);
    CollectionSegments state = segments.of(id);
    @Nullable ChannelCheckpoint checkpoint = state.checkpoint(vchannel);
    if (checkpoint == null) {
      checkpoint = Channels.startOf(collection, catalog.starts(id), vchannel);
    }
    return new ChannelRecovery(
        collection,
        checkpoint,
        state.of(vchannel).stream().map(this::withFinishedIndexes).toList(),
        state.deltasOf(vchannel));
  }
}
