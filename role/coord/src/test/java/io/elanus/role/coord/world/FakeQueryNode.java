package io.elanus.role.coord.world;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.SegmentId;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.QueryNodeService;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// A QueryNode that remembers what it was told; objects that are missing or hold a 0 are damaged.
public final class FakeQueryNode implements QueryNodeService {
  /// A load that waits for its end.
  public record Loading(LoadSegment request, CompletableFuture<SegmentLoaded> reply) {}

  public final TreeMap<SegmentId, LoadSegment> loaded = new TreeMap<>();
  public final List<Loading> loading = new ArrayList<>();
  public final TreeSet<SegmentId> everLoaded = new TreeSet<>();
  public boolean auto = true;
  public int loads;
  private final ObjectStore objects;

  public FakeQueryNode(ObjectStore objects) {
    this.objects = objects;
  }

  @Override
  public CompletableFuture<SegmentLoaded> load(CallContext context, LoadSegment request) {
    Loading load = new Loading(request, new CompletableFuture<>());
    loading.add(load);
    loads++;
    if (auto) {
      finish(load);
    }
    return load.reply();
  }

  public void fail(Loading load) {
    loading.remove(load);
    load.reply().completeExceptionally(DbException.of(ErrorCode.IO_FAILED));
  }

  public void finish(Loading load) {
    loading.remove(load);
    List<String> keys = new ArrayList<>();
    keys.add(load.request().segment().path() + "/manifest");
    for (SegmentIndexMeta index : load.request().segment().indexes()) {
      if (!index.path().isEmpty()) {
        keys.add(index.path());
      }
    }
    for (String key : keys) {
      if (!objects.exists(key) || objects.get(key)[0] == 0) {
        load.reply()
            .completeExceptionally(
                DbException.described(ErrorCode.SEGMENT_LOAD_FAILED, "object " + key));
        return;
      }
    }
    SegmentId id = load.request().segment().id();
    loaded.put(id, load.request());
    everLoaded.add(id);
    load.reply().complete(new SegmentLoaded(id, load.request().segment().stats().rows(), 100));
  }

  @Override
  public CompletableFuture<Done> release(CallContext context, ReleaseSegments request) {
    request.segments().forEach(loaded::remove);
    return CompletableFuture.completedFuture(Done.INSTANCE);
  }

  private static <T> CompletableFuture<T> notUsed() {
    return CompletableFuture.failedFuture(DbException.of(ErrorCode.UNIMPLEMENTED));
  }

  @Override
  public CompletableFuture<Done> applyDeletes(CallContext context, ApplyDeletes request) {
    return notUsed();
  }

  @Override
  public CompletableFuture<SegmentHits> search(CallContext context, SearchSegments request) {
    return notUsed();
  }

  @Override
  public CompletableFuture<SegmentRows> query(CallContext context, QuerySegments request) {
    return notUsed();
  }

  @Override
  public CompletableFuture<FetchedRows> fetch(CallContext context, FetchRows request) {
    return notUsed();
  }
}
