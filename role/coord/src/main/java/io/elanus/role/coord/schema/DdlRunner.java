package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.VChannel;
import io.elanus.base.loop.Threads;
import io.elanus.role.coord.broadcast.BroadcastHandle;
import io.elanus.role.coord.broadcast.BroadcastMessage;
import io.elanus.role.coord.broadcast.BroadcastResult;
import io.elanus.role.coord.broadcast.Broadcaster;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.ResourceKey;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocId;
import io.elanus.wire.service.TsoService.AllocTimestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/// The way of every DDL: take its keys, check it against the catalog, broadcast what follows.
///
/// Thread-safe: checks run on the broadcaster's loop.
final class DdlRunner {
  /// An alias may move between the look-up of the keys and the grant; then the keys are taken anew.
  private static final int MAX_RELOCKS = 16;

  private final Catalog catalog;
  private final Broadcaster broadcaster;
  private final TsoService tso;
  private final VChannel control;
  private final Threads threads;

  DdlRunner(
      Catalog catalog, Broadcaster broadcaster, TsoService tso, VChannel control, Threads threads) {
    this.catalog = catalog;
    this.threads = threads;
    this.broadcaster = broadcaster;
    this.tso = tso;
    this.control = control;
  }

  /// `keys` is asked again once they are held: different ones mean that a name has moved meanwhile.
  /// `check` runs with the keys held and throws what the caller is told. At the deadline the caller
  /// is told so; a broadcast that has begun goes on. A request that was broadcast under the
  /// client's idempotency key before is answered as it was then, without a check: names may have
  /// moved since.
  CompletableFuture<DdlReply> run(
      CallContext context,
      DdlRequest request,
      Supplier<List<ResourceKey>> keys,
      Supplier<Plan> check) {
    Ddl ddl = new Ddl(context, request, keys, check);
    CompletableFuture<DdlReply> reply = run(ddl, 0).exceptionallyCompose(DdlRunner::told);
    return Waits.until(
        context.deadline(), threads, Waits.unlessClosed(broadcaster.executor()), reply);
  }

  /// The failure without wrappers; a loop that refuses steps is a coordinator that has ended.
  private static CompletableFuture<DdlReply> told(Throwable failure) {
    Throwable cause = Waits.cause(failure);
    return CompletableFuture.failedFuture(
        cause instanceof RejectedExecutionException
            ? DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "coordinator is closed")
                .causedBy(cause)
            : cause);
  }

  private record Ddl(
      CallContext context,
      DdlRequest request,
      Supplier<List<ResourceKey>> keys,
      Supplier<Plan> check) {}

  private CompletableFuture<DdlReply> run(Ddl ddl, int relocks) {
    List<ResourceKey> wanted = ddl.keys().get();
    return broadcaster
        .withResourceKeys(ddl.context(), wanted)
        .thenComposeAsync(
            handle -> {
              try {
                if (relocks < MAX_RELOCKS && !ddl.keys().get().equals(wanted)) {
                  handle.close();
                  return run(ddl, relocks + 1);
                }
                return execute(ddl, handle);
              } catch (RuntimeException e) {
                handle.close();
                return CompletableFuture.failedFuture(e);
              }
            },
            broadcaster.executor());
  }

  private CompletableFuture<DdlReply> execute(Ddl ddl, BroadcastHandle handle) {
    CallContext context = ddl.context();
    Once once = Once.of(catalog, context, ddl.request());
    if (once.isKeyed()) {
      CompletableFuture<BroadcastResult> original = handle.original(once.type(), once.properties());
      if (original != null) {
        return original.thenApply(result -> new DdlReply(result.largestTick()));
      }
    }
    return switch (ddl.check().get()) {
      case Plan.Nothing() -> {
        handle.close();
        yield tso.allocTimestamp(context, new AllocTimestamp(1, null))
            .thenApply(range -> new DdlReply(range.first()));
      }
      case Plan.Change change -> broadcast(context, handle, change, once);
    };
  }

  private CompletableFuture<DdlReply> broadcast(
      CallContext context, BroadcastHandle handle, Plan.Change change, Once once) {
    CompletableFuture<Long> first =
        change.ids() == 0
            ? CompletableFuture.completedFuture(0L)
            : tso.allocId(context, new AllocId(change.ids())).thenApply(TsoService.IdRange::first);
    return first
        .thenComposeAsync(
            id -> handle.broadcast(change.message().apply(id).with(once.properties())),
            broadcaster.executor())
        .whenCompleteAsync(
            (_, _) -> {
              handle.close(); // Frees the keys when there was no broadcast.
              change.ended().run();
            },
            broadcaster.executor())
        .thenApply(result -> new DdlReply(result.largestTick()));
  }

  /// For the control channel only.
  BroadcastMessage toControl(Message message) {
    return BroadcastMessage.of(message, List.of(control));
  }

  /// For the control channel and every VChannel of the collection.
  BroadcastMessage toAll(Message message, CollectionMeta collection) {
    List<VChannel> targets = new ArrayList<>(collection.shards() + 1);
    targets.add(control);
    targets.addAll(collection.vchannels());
    return BroadcastMessage.of(message, targets);
  }
}
