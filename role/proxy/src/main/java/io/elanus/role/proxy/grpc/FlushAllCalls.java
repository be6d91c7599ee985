package io.elanus.role.proxy.grpc;

import io.elanus.base.id.CollectionId;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.proto.milvus.FlushAllRequest;
import io.elanus.wire.proto.milvus.FlushAllResponse;
import io.elanus.wire.proto.milvus.FlushAllResult;
import io.elanus.wire.proto.milvus.FlushCollectionResult;
import io.elanus.wire.proto.milvus.GetFlushAllStateRequest;
import io.elanus.wire.proto.milvus.GetFlushAllStateResponse;
import io.elanus.wire.proto.schema.LongArray;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.status.WireStatus;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// FlushAll: every collection of one database, or of all of them, flushed one by one. The answer's
/// timestamp is the largest of their flushes; the state is asked by that.
///
/// Thread-safe: stateless.
@SuppressWarnings(
    "deprecation") // Clients of today read the fields that the contract has deprecated.
final class FlushAllCalls {
  private final ProxyApi proxy;

  FlushAllCalls(ProxyApi proxy) {
    this.proxy = proxy;
  }

  private record Flushed(CollectionMeta collection, DataCoordService.FlushReply reply) {}

  void flushAll(FlushAllRequest request, StreamObserver<FlushAllResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    Replies.answer(
        observer,
        () ->
            collections(context, request.getDbName())
                .thenCompose(all ->
                    each(
                        all,
                        meta ->
                            proxy
                                .flush(context, meta.owner().databaseName(), meta.name())
                                .thenApply(reply -> new Flushed(meta, reply))))
                .thenCombine(proxy.allocTimestamp(context), FlushAllCalls::response),
        response -> response,
        status -> FlushAllResponse.newBuilder().setStatus(status).build());
  }

  private static FlushAllResponse response(List<Flushed> flushed, HybridTs now) {
    HybridTs last = HybridTs.ZERO;
    Map<String, FlushAllResult.Builder> byDatabase = new TreeMap<>();
    for (Flushed one : flushed) {
      last = HybridTs.max(last, one.reply().flushTs());
      byDatabase
          .computeIfAbsent(
              one.collection().owner().databaseName(),
              name -> FlushAllResult.newBuilder().setDbName(name))
          .addCollectionResults(
              FlushCollectionResult.newBuilder()
                  .setCollectionName(one.collection().name())
                  .setSegmentIds(ids(one.reply().sealed()))
                  .setFlushSegmentIds(ids(one.reply().flushed()))
                  .setSealTime(one.reply().flushTs().physicalMs() / 1000)
                  .setFlushTs(one.reply().flushTs().value()));
    }
    FlushAllResponse.Builder out =
        FlushAllResponse.newBuilder()
            .setStatus(WireStatus.success())
            .setFlushAllTs((flushed.isEmpty() ? now : last).value());
    byDatabase.values().forEach(out::addFlushResults);
    return out.build();
  }

  private static LongArray ids(List<io.elanus.base.id.SegmentId> segments) {
    LongArray.Builder out = LongArray.newBuilder();
    segments.forEach(segment -> out.addData(segment.value()));
    return out.build();
  }

  void state(GetFlushAllStateRequest request, StreamObserver<GetFlushAllStateResponse> observer) {
    CallContext context = CallContextInterceptor.call();
    long asked = request.getFlushAllTs();
    for (long each : request.getFlushAllTssMap().values()) {
      asked = Long.compareUnsigned(each, asked) > 0 ? each : asked;
    }
    HybridTs flushTs = new HybridTs(asked);
    Replies.answer(
        observer,
        () ->
            collections(context, request.getDbName())
                .thenCompose(all -> each(all, meta -> isFlushed(context, meta.id(), flushTs))),
        states ->
            GetFlushAllStateResponse.newBuilder()
                .setStatus(WireStatus.success())
                .setFlushed(states.stream().allMatch(state -> state))
                .build(),
        status -> GetFlushAllStateResponse.newBuilder().setStatus(status).build());
  }

  private CompletableFuture<Boolean> isFlushed(
      CallContext context, CollectionId id, HybridTs flushTs) {
    return proxy
        .flushState(context, new DataCoordService.FindFlushState(id, List.of(), flushTs))
        .thenApply(DataCoordService.FlushState::flushed);
  }

  /// Collections of `database`, or of all databases when it is empty.
  private CompletableFuture<List<CollectionMeta>> collections(
      CallContext context, String database) {
    CompletableFuture<List<String>> names =
        database.isEmpty()
            ? proxy
                .databases(context)
                .thenApply(list -> list.databases().stream().map(DatabaseMeta::name).toList())
            : CompletableFuture.completedFuture(List.of(database));
    return names
        .thenCompose(all -> each(all, name -> proxy.collections(context, name)))
        .thenApply(lists ->
            lists.stream()
                .flatMap(list -> list.collections().stream())
                .map(CatalogService.CollectionView::meta)
                .toList());
  }

  /// Runs `work` on all items at once and answers in their order.
  private static <A, B> CompletableFuture<List<B>> each(
      List<A> items, Function<A, CompletableFuture<B>> work) {
    List<CompletableFuture<B>> running = new ArrayList<>(items.size());
    for (A item : items) {
      running.add(work.apply(item));
    }
    return CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
        .thenApply(_ -> running.stream().map(CompletableFuture::join).toList());
  }
}
