package io.elanus.role.query.delegator;

import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.QueryNodeService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// A QueryNode behind a link that can hold calls back or fail them.
///
/// Confined to the caller.
final class LinkedNode implements QueryNodeService {
  private final QueryNodeService node;
  private final Set<String> held = new TreeSet<>();
  private final List<Held<?>> waiting = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();

  private record Held<T>(Supplier<CompletableFuture<T>> call, CompletableFuture<T> answer) {
    void go() {
      call.get()
          .whenComplete((value, thrown) -> {
            if (thrown != null) {
              answer.completeExceptionally(thrown);
            } else {
              answer.complete(value);
            }
          });
    }
  }

  LinkedNode(QueryNodeService node) {
    this.node = node;
  }

  void hold(String call) {
    held.add(call);
  }

  void releaseHeld() {
    held.clear();
    List<Held<?>> now = List.copyOf(waiting);
    waiting.clear();
    now.forEach(Held::go);
  }

  void failHeld() {
    held.clear();
    List<Held<?>> now = List.copyOf(waiting);
    waiting.clear();
    now.forEach(h -> h.answer.completeExceptionally(new IllegalStateException("link broke")));
  }

  List<String> calls() {
    return calls;
  }

  private <T> CompletableFuture<T> through(String name, Supplier<CompletableFuture<T>> call) {
    calls.add(name);
    if (!held.contains(name)) {
      return call.get();
    }
    Held<T> waits = new Held<>(call, new CompletableFuture<>());
    waiting.add(waits);
    return waits.answer;
  }

  @Override
  public CompletableFuture<SegmentLoaded> load(CallContext context, LoadSegment request) {
    return through("load", () -> node.load(context, request));
  }

  @Override
  public CompletableFuture<Done> release(CallContext context, ReleaseSegments request) {
    return through("release", () -> node.release(context, request));
  }

  @Override
  public CompletableFuture<Done> applyDeletes(CallContext context, ApplyDeletes request) {
    return through("applyDeletes", () -> node.applyDeletes(context, request));
  }

  @Override
  public CompletableFuture<SegmentHits> search(CallContext context, SearchSegments request) {
    return through("search", () -> node.search(context, request));
  }

  @Override
  public CompletableFuture<SegmentRows> query(CallContext context, QuerySegments request) {
    return through("query", () -> node.query(context, request));
  }

  @Override
  public CompletableFuture<FetchedRows> fetch(CallContext context, FetchRows request) {
    return through("fetch", () -> node.fetch(context, request));
  }
}
