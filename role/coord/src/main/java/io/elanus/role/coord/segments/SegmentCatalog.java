package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.id.CollectionId;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.role.coord.part.FencedStore;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// All stored segments, delta logs and checkpoints, in memory and in the metadata store.
///
/// Changes of one collection run one after the other: each sees the durable outcome of the one
/// before. Different collections' changes share the store's fsyncs.
///
/// Owned by: the coordinator's data loop.
public final class SegmentCatalog {
  private final FencedStore store;
  private final LoopWork work;
  private final TreeMap<CollectionId, CollectionSegments> collections = new TreeMap<>();
  private final TreeMap<CollectionId, Queue<Runnable>> queues = new TreeMap<>();

  SegmentCatalog(FencedStore store, LoopWork work) {
    this.store = store;
    this.work = work;
  }

  /// Reads everything; completes on the loop.
  CompletableFuture<Void> open() {
    CompletableFuture<Void> segments =
        read(SegmentChange.SEGMENTS, SegmentRecord.class, CollectionSegments::put);
    CompletableFuture<Void> deltas =
        read(SegmentChange.DELTAS, DeltaLogMeta.class, CollectionSegments::put);
    CompletableFuture<Void> checkpoints =
        read(SegmentChange.CHECKPOINTS, ChannelCheckpoint.class, CollectionSegments::put);
    return CompletableFuture.allOf(segments, deltas, checkpoints);
  }

  private interface Placement<T> {
    void into(CollectionSegments state, T value);
  }

  private <T> CompletableFuture<Void> read(String prefix, Class<T> type, Placement<T> placement) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    work.then(
        store.prefix(prefix),
        outcome -> {
          switch (outcome) {
            case Outcome.Failed<RangeResult>(var error) -> done.completeExceptionally(error);
            case Outcome.Done<RangeResult>(var range) -> {
              try {
                for (KeyValue entry : range.entries()) {
                  placement.into(
                      state(collectionOf(prefix, entry.key())), WireJson.read(entry.value(), type));
                }
                done.complete(null);
              } catch (DbException e) {
                done.completeExceptionally(e);
              }
            }
          }
        });
    return done;
  }

  private static CollectionId collectionOf(String prefix, String key) {
    int end = key.indexOf('/', prefix.length());
    return new CollectionId(Long.parseLong(key.substring(prefix.length(), end)));
  }

  private CollectionSegments state(CollectionId id) {
    return collections.computeIfAbsent(id, CollectionSegments::new);
  }

  /// The collection's stored state, empty when nothing is stored.
  public CollectionSegments of(CollectionId id) {
    CollectionSegments state = collections.get(id);
    return state == null ? new CollectionSegments(id) : state;
  }

  Collection<CollectionSegments> all() {
    return Collections.unmodifiableCollection(collections.values());
  }

  /// Queues a change. `decide` runs on the loop when all earlier changes of the collection are
  /// durable; it fills the change and gives the answer, which is returned once the change is
  /// durable and applied. A change that is left empty writes nothing. What `decide` throws fails
  /// the future.
  <T> CompletableFuture<T> change(
      CollectionId collection, BiFunction<CollectionSegments, SegmentChange, T> decide) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    @Nullable Queue<Runnable> queue = queues.get(collection);
    if (queue != null) {
      queue.add(() -> run(collection, decide, reply));
      return reply;
    }
    queues.put(collection, new ArrayDeque<>());
    run(collection, decide, reply);
    return reply;
  }

  private <T> void run(
      CollectionId collection,
      BiFunction<CollectionSegments, SegmentChange, T> decide,
      CompletableFuture<T> reply) {
    SegmentChange change = new SegmentChange(collection);
    T answer;
    try {
      answer = decide.apply(of(collection), change);
    } catch (DbException e) {
      next(collection);
      reply.completeExceptionally(e);
      return;
    }
    if (change.isEmpty()) {
      next(collection);
      reply.complete(answer);
      return;
    }
    work.then(
        store.commit(change.txn()),
        outcome -> {
          if (outcome instanceof Outcome.Failed<?>(var error)) {
            next(collection);
            reply.completeExceptionally(error);
            return;
          }
          CollectionSegments state = state(collection);
          change.applyTo(state);
          if (state.isEmpty()) {
            collections.remove(collection);
          }
          next(collection);
          reply.complete(answer);
        });
  }

  private void next(CollectionId collection) {
    Queue<Runnable> queue = queues.get(collection);
    if (queue == null) {
      return;
    }
    Runnable following = queue.poll();
    if (following == null) {
      queues.remove(collection);
    } else {
      // Not within this call: a long queue of empty changes must not deepen the stack.
      work.post(following);
    }
  }
}
