package io.elanus.role.coord.world;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import io.elanus.wire.meta.SegmentState;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataNodeService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Answers tasks when the test says so (or at once), with objects of a byte.
public final class FakeDataNode implements DataNodeService {
  /// A task that waits for its end.
  public record Build(BuildIndex request, CompletableFuture<IndexBuilt> reply) {}

  public record Merge(Compact request, CompletableFuture<Compacted> reply) {}

  public final List<Build> builds = new ArrayList<>();
  public final List<Merge> merges = new ArrayList<>();
  public boolean auto = true;
  public @Nullable DbException failure;
  public int compactedRows = -1;
  public int started;
  private final ObjectStore objects;

  public FakeDataNode(ObjectStore objects) {
    this.objects = objects;
  }

  @Override
  public CompletableFuture<IndexBuilt> buildIndex(CallContext context, BuildIndex request) {
    Build build = new Build(request, new CompletableFuture<>());
    builds.add(build);
    started++;
    if (auto) {
      finish(build);
    }
    return build.reply();
  }

  public void finish(Build build) {
    builds.remove(build);
    if (failure != null) {
      build.reply().completeExceptionally(failure);
      return;
    }
    objects.put(build.request().path(), new byte[] {1});
    build
        .reply()
        .complete(
            new IndexBuilt(
                new SegmentIndexMeta(
                    build.request().index().id(),
                    build.request().index().fieldId(),
                    build.request().path(),
                    1,
                    build.request().segment().stats().rows())));
  }

  @Override
  public CompletableFuture<Compacted> compact(CallContext context, Compact request) {
    Merge merge = new Merge(request, new CompletableFuture<>());
    merges.add(merge);
    started++;
    if (auto) {
      finish(merge);
    }
    return merge.reply();
  }

  public void finish(Merge merge) {
    merges.remove(merge);
    if (failure != null) {
      merge.reply().completeExceptionally(failure);
      return;
    }
    Compact request = merge.request();
    for (SegmentMeta input : request.inputs()) {
      if (objects.list(input.path() + "/").isEmpty()) {
        merge
            .reply()
            .completeExceptionally(
                DbException.described(ErrorCode.SEGMENT_LOAD_FAILED, input.path()));
        return;
      }
    }
    int rows =
        compactedRows >= 0
            ? compactedRows
            : request.inputs().stream().mapToInt(s -> s.stats().rows()).sum();
    HybridTs minTs = HybridTs.MAX;
    HybridTs maxTs = HybridTs.ZERO;
    for (SegmentMeta input : request.inputs()) {
      minTs = HybridTs.min(minTs, input.stats().minTs());
      maxTs = HybridTs.max(maxTs, input.stats().maxTs());
    }
    int schemaVersion = request.inputs().getFirst().stats().schemaVersion();
    if (rows > 0) {
      objects.put(request.output().path() + "/manifest", new byte[] {1});
    }
    merge
        .reply()
        .complete(
            new Compacted(
                new SegmentMeta(
                    request.output().id(),
                    request.inputs().getFirst().place(),
                    SegmentState.FLUSHED,
                    request.output().path(),
                    rows == 0
                        ? SegmentMeta.Stats.EMPTY
                        : new SegmentMeta.Stats(rows, 10L * rows, minTs, maxTs, schemaVersion),
                    request.output().readTs(),
                    List.of())));
  }
}
