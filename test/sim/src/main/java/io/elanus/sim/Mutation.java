package io.elanus.sim;

import io.elanus.base.id.MessageId;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.meta.Compare;
import io.elanus.engine.storage.meta.Put;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import io.elanus.wire.service.DelegatorService.QueryView;
import io.elanus.wire.service.DelegatorService.UpdateView;
import io.elanus.wire.service.DelegatorService.ViewSegment;
import io.elanus.wire.service.QueryNodeService.LoadSegment;
import io.elanus.wire.service.ReadRequest;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;

/// A rule that is broken on purpose, at a seam between components, so that it is known which rules
/// the simulation watches over. Each must be found within a bounded number of seeds.
enum Mutation {
  NONE(0),
  /// W-01: an owner that was deposed may go on appending.
  LOG_DOES_NOT_FENCE(120),
  /// W-11: appends are answered before they are written; a crash loses them.
  LOG_ANSWERS_BEFORE_IT_WRITES(1),
  /// W-10: now and then an acknowledged batch is not in the log.
  LOG_LOSES_A_BATCH(1),
  /// W-04: a batch is written twice, as by a retry that isn't idempotent.
  LOG_WRITES_TWICE(8),
  /// W-03: what was appended later comes first.
  LOG_SWAPS_BATCHES(1),
  /// T-02: the bound of granted timestamps isn't stored, nor is that of ids.
  TIMESTAMP_BOUND_IS_NOT_STORED(17),
  /// B-33, R-20: a deposed coordinator's writes are taken.
  TERM_IS_NOT_COMPARED(6),
  /// Processes that are gone stay members; nobody takes over.
  LEASES_NEVER_END(1),
  /// W-02: nobody hears that a channel has moved.
  MOVES_ARE_NOT_HEARD_OF(1),
  /// caches keep what a DDL has changed.
  CACHES_ARE_NOT_INVALIDATED(1),
  /// C-01: reads don't wait.
  GUARANTEES_ARE_IGNORED(1),
  /// C-05: deletes don't reach sealed segments on other nodes.
  DELETES_ARE_NOT_FORWARDED(1),
  /// C-06: a flushed segment isn't told to the coordinator.
  FLUSHES_ARE_NOT_REPORTED(1),
  /// C-05: stored deletes aren't told to the coordinator.
  DELTAS_ARE_NOT_REPORTED(1),
  /// C-05: segments are loaded without their delta logs.
  SEGMENTS_LACK_DELTAS(1),
  /// C-06: a view lacks one of its segments, as when growing data is released early.
  VIEWS_LACK_A_SEGMENT(1),
  /// W-10: a shard's checkpoint is beyond what was stored.
  CHECKPOINTS_RUN_AHEAD(1),
  /// a proxy goes on serving after others took it for gone.
  LOST_PROXIES_GO_ON(15),
  /// Stored objects vanish.
  OBJECTS_ARE_LOST(1);

  private final int firstSeed;

  Mutation(int firstSeed) {
    this.firstSeed = firstSeed;
  }

  /// The first seed that found it when it was last searched for; 0 for none.
  int firstSeed() {
    return firstSeed;
  }

  /// Methods whose calls are answered and not carried out.
  boolean swallows(String method) {
    return switch (this) {
      case CACHES_ARE_NOT_INVALIDATED -> method.equals("invalidate");
      case DELETES_ARE_NOT_FORWARDED -> method.equals("applyDeletes");
      case FLUSHES_ARE_NOT_REPORTED -> method.equals("reportFlushed");
      case DELTAS_ARE_NOT_REPORTED -> method.equals("reportDelta");
      default -> false;
    };
  }

  /// The request as it arrives.
  Object request(Object request) {
    return switch (this) {
      case GUARANTEES_ARE_IGNORED ->
          request instanceof ReadRequest read
              ? with((Record) read, new ReadRequest.Guarantee(new HybridTs(1), null))
              : request;
      case CHECKPOINTS_RUN_AHEAD ->
          request instanceof ChannelCheckpoint checkpoint
              ? new ChannelCheckpoint(
                  checkpoint.vchannel(),
                  new MessageId(checkpoint.position().value() + 5),
                  checkpoint.tick())
              : request;
      case SEGMENTS_LACK_DELTAS ->
          request instanceof LoadSegment load
              ? new LoadSegment(load.segment(), load.collection(), load.indexes(), List.of())
              : request;
      case VIEWS_LACK_A_SEGMENT ->
          request instanceof UpdateView update
              ? with(update, withoutItsLast(update.view()))
              : request;
      default -> request;
    };
  }

  private static QueryView withoutItsLast(QueryView view) {
    List<ViewSegment> segments = view.segments();
    return new QueryView(
        view.version(),
        segments.subList(0, Math.max(0, segments.size() - 1)),
        view.replaced(),
        view.deltaTick(),
        view.readableFrom());
  }

  /// The transaction as it arrives.
  Txn txn(Txn txn) {
    return switch (this) {
      case TIMESTAMP_BOUND_IS_NOT_STORED ->
          new Txn(
              txn.compares(),
              txn.puts().stream().filter(put -> !isBound(put)).toList(),
              txn.deletes());
      case TERM_IS_NOT_COMPARED ->
          new Txn(
              txn.compares().stream().filter(compare -> !isTerm(compare)).toList(),
              txn.puts(),
              txn.deletes());
      default -> txn;
    };
  }

  private static boolean isBound(Put put) {
    return put.key().startsWith("tso/");
  }

  private static boolean isTerm(Compare compare) {
    return compare.key().equals("coord/term") && compare instanceof Compare.Value;
  }

  /// A copy of a record with the component that has the class of `value` replaced.
  private static Object with(Record original, Object value) {
    RecordComponent[] components = original.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] =
            types[i] == value.getClass() ? value : components[i].getAccessor().invoke(original);
      }
      Constructor<?> constructor = original.getClass().getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
