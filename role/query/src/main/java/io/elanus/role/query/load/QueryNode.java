package io.elanus.role.query.load;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.time.Clock;
import io.elanus.base.time.HybridTs;
import io.elanus.engine.segment.ReadPoint;
import io.elanus.engine.segment.SearchSpec;
import io.elanus.engine.segment.SegmentFilter;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.query.QueryMetrics;
import io.elanus.role.query.reduce.HitMerge;
import io.elanus.role.query.reduce.MergedHits;
import io.elanus.role.query.reduce.RowMerge;
import io.elanus.role.query.search.FilterCache;
import io.elanus.role.query.search.Outputs;
import io.elanus.role.query.search.ReadPool;
import io.elanus.role.query.search.SegmentScan;
import io.elanus.role.query.search.SegmentSearch;
import io.elanus.role.query.search.Spread;
import io.elanus.role.query.search.Target;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds sealed segments, mapped from the object store, and reads them. It knows no more of the
/// cluster than what it was told to load (rule R-22).
///
/// A delegator in the same process takes hold of segments directly ([#hold]) and needs no call for
/// a read; others use the service.
///
/// Thread-safe: a segment is loaded and released on one of a few blocking loops, chosen by its id;
/// the map of segments is concurrent.
public final class QueryNode implements QueryNodeService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryNode.class);
  private static final int LOADERS = 4;
  private static final int LOADER_MAILBOX = 16_384;

  private final SegmentLoader loader;
  private final ReadPool pool;
  private final FilterCache filters;
  private final QueryMetrics metrics;
  private final Clock clock;
  private final List<Loop> loops = new ArrayList<>();
  private final Map<SegmentId, LoadedSegment> segments = new ConcurrentHashMap<>();

  public QueryNode(
      ObjectStore store,
      Threads threads,
      ReadPool pool,
      FilterCache filters,
      QueryMetrics metrics) {
    this.loader = new SegmentLoader(store);
    this.pool = pool;
    this.filters = filters;
    this.metrics = metrics;
    this.clock = threads.clock();
    for (int i = 0; i < LOADERS; i++) {
      loops.add(threads.blockingLoop("query/load/" + i, LOADER_MAILBOX));
    }
  }

  private Loop loopOf(SegmentId id) {
    return loops.get((int) Long.remainderUnsigned(id.value(), LOADERS));
  }

  private static <T> CompletableFuture<T> on(
      java.util.concurrent.Executor executor, Supplier<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      executor.execute(() -> {
        try {
          answer.complete(work.get());
        } catch (RuntimeException e) {
          answer.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e));
    }
    return answer;
  }

  @Override
  public CompletableFuture<SegmentLoaded> load(CallContext context, LoadSegment request) {
    return on(loopOf(request.segment().id()), () -> loadNow(request));
  }

  private SegmentLoaded loadNow(LoadSegment request) {
    SegmentId id = request.segment().id();
    long start = clock.nanoTime();
    LoadedSegment known = segments.get(id);
    if (known != null) {
      loader.refresh(known, request);
      return loaded(known);
    }
    LoadedSegment fresh = loader.load(request);
    segments.put(id, fresh);
    long nanos = clock.nanoTime() - start;
    metrics.segments(1, fresh.segment().rows(), fresh.segment().memoryBytes());
    metrics.loaded(nanos);
    LOG.atInfo()
        .addKeyValue("segment", id)
        .addKeyValue("rows", fresh.segment().rows())
        .addKeyValue("tookUs", nanos / 1000)
        .log("segment loaded");
    return loaded(fresh);
  }

  private static SegmentLoaded loaded(LoadedSegment segment) {
    return new SegmentLoaded(
        segment.id(), segment.segment().rows(), segment.segment().memoryBytes());
  }

  @Override
  public CompletableFuture<Done> release(CallContext context, ReleaseSegments request) {
    List<CompletableFuture<Done>> parts = new ArrayList<>();
    for (SegmentId id : request.segments()) {
      parts.add(on(loopOf(id), () -> releaseNow(id)));
    }
    return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
        .thenApply(all -> Done.INSTANCE);
  }

  private Done releaseNow(SegmentId id) {
    LoadedSegment gone = segments.remove(id);
    if (gone != null) {
      metrics.segments(-1, -gone.segment().rows(), -gone.segment().memoryBytes());
      gone.segment().release();
      LOG.atInfo().addKeyValue("segment", id).log("segment released");
    }
    return Done.INSTANCE;
  }

  /// Takes hold of a loaded segment: release it after use. Null when it is not loaded here.
  public @Nullable LoadedSegment hold(SegmentId id) {
    LoadedSegment found = segments.get(id);
    return found != null && found.segment().retain() ? found : null;
  }

  /// Holds the segments that are in the partitions, or fails with 601 and holds none.
  private List<LoadedSegment> holdAll(List<SegmentId> ids, List<PartitionId> partitions) {
    List<LoadedSegment> held = new ArrayList<>(ids.size());
    for (SegmentId id : ids) {
      LoadedSegment segment = hold(id);
      if (segment == null) {
        releaseAll(held);
        throw DbException.withFields(ErrorCode.SEGMENT_NOT_LOADED, "segment", id);
      }
      held.add(segment);
    }
    if (partitions.isEmpty()) {
      return held;
    }
    List<LoadedSegment> wanted = new ArrayList<>(held.size());
    for (LoadedSegment segment : held) {
      if (partitions.contains(segment.partition())) {
        wanted.add(segment);
      } else {
        segment.segment().release();
      }
    }
    return wanted;
  }

  private static void releaseAll(List<LoadedSegment> held) {
    held.forEach(segment -> segment.segment().release());
  }

  @Override
  public CompletableFuture<Done> applyDeletes(CallContext context, ApplyDeletes request) {
    try {
      for (SegmentId id : request.segments()) {
        LoadedSegment segment = hold(id);
        if (segment == null) {
          throw DbException.withFields(ErrorCode.SEGMENT_NOT_LOADED, "segment", id);
        }
        try {
          segment.segment().applyDeletes(request.keys(), request.ticks());
        } finally {
          segment.segment().release();
        }
      }
      return CompletableFuture.completedFuture(Done.INSTANCE);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static List<Target> targets(List<LoadedSegment> held, HybridTs readTs) {
    List<Target> targets = new ArrayList<>(held.size());
    for (LoadedSegment segment : held) {
      long ttlMs = TimeToLive.millis(segment.collection().options().properties());
      targets.add(new Target(segment.segment(), ReadPoint.of(readTs, ttlMs)));
    }
    return targets;
  }

  private @Nullable SegmentFilter filter(List<LoadedSegment> held, String text) {
    if (held.isEmpty()) {
      return null;
    }
    CollectionMeta collection = newest(held);
    return filters.get(collection.id(), collection.schema(), text);
  }

  private static CollectionMeta newest(List<LoadedSegment> held) {
    CollectionMeta newest = held.get(0).collection();
    for (LoadedSegment segment : held) {
      if (segment.collection().schema().version() > newest.schema().version()) {
        newest = segment.collection();
      }
    }
    return newest;
  }

  private static boolean hasTextKeys(List<LoadedSegment> held) {
    return !held.isEmpty()
        && held.get(0).collection().schema().primaryKey().type() != DataType.INT64;
  }

  /// Runs work over held segments on the pool, with helpers, and lets go of them at the end.
  private <T> CompletableFuture<T> read(List<LoadedSegment> held, Job<T> job) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Spread.Work work =
        new Spread.Work() {
          @Override
          public int units() {
            return job.units();
          }

          @Override
          public void unit(int unit) {
            job.unit(unit);
          }

          @Override
          public void ended(@Nullable Throwable failure) {
            try {
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else {
                answer.complete(job.result());
              }
            } catch (RuntimeException e) {
              answer.completeExceptionally(e);
            } finally {
              releaseAll(held);
            }
          }
        };
    try {
      pool.execute(() -> Spread.run(pool, work, job.helpers()));
    } catch (RejectedExecutionException e) {
      releaseAll(held);
      answer.completeExceptionally(DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e));
    }
    return answer;
  }

  private interface Job<T> {
    int units();

    int helpers();

    void unit(int unit);

    T result();
  }

  @Override
  public CompletableFuture<SegmentHits> search(CallContext context, SearchSegments request) {
    List<LoadedSegment> held = List.of();
    try {
      ReadRequest.Search search = request.search();
      held = holdAll(request.segments(), search.scope().partitions());
      ReadRequest.Search.Target wanted = search.target();
      SearchSpec spec =
          new SearchSpec(
              wanted.field(),
              wanted.metric(),
              wanted.dim(),
              wanted.vectors(),
              wanted.k(),
              wanted.params());
      SegmentSearch run =
          new SegmentSearch(
              spec, filter(held, search.filter()), targets(held, request.readTs()), pool.threads());
      return read(held, new SearchJob(run, held, spec));
    } catch (RuntimeException e) {
      releaseAll(held);
      return CompletableFuture.failedFuture(e);
    }
  }

  private record SearchJob(SegmentSearch run, List<LoadedSegment> held, SearchSpec spec)
      implements Job<SegmentHits> {
    @Override
    public int units() {
      return run.units();
    }

    @Override
    public int helpers() {
      return run.helpers();
    }

    @Override
    public void unit(int unit) {
      run.unit(unit);
    }

    @Override
    public SegmentHits result() {
      MergedHits merged =
          HitMerge.merge(
              run.hits(), spec.nq(), spec.k(), spec.metric().isLargerBetter(), hasTextKeys(held));
      return new SegmentHits(
          merged.counts(),
          merged.keys(),
          merged.scores(),
          merged.rowTs(),
          refs(held, merged.sources(), merged.rows()),
          run.searched());
    }
  }

  private static RowRef[] refs(List<LoadedSegment> held, int[] sources, int[] rows) {
    RowRef[] refs = new RowRef[rows.length];
    for (int i = 0; i < refs.length; i++) {
      refs[i] = new RowRef(held.get(sources[i]).id(), rows[i]);
    }
    return refs;
  }

  @Override
  public CompletableFuture<SegmentRows> query(CallContext context, QuerySegments request) {
    List<LoadedSegment> held = List.of();
    try {
      List<PartitionId> partitions = request.partitionIds().stream().map(PartitionId::new).toList();
      held = holdAll(request.segments(), partitions);
      SegmentScan run =
          new SegmentScan(
              filter(held, request.filter()),
              targets(held, request.readTs()),
              request.limit(),
              request.countOnly());
      return read(held, new ScanJob(run, held, request));
    } catch (RuntimeException e) {
      releaseAll(held);
      return CompletableFuture.failedFuture(e);
    }
  }

  private record ScanJob(SegmentScan run, List<LoadedSegment> held, QuerySegments request)
      implements Job<SegmentRows> {
    @Override
    public int units() {
      return run.units();
    }

    @Override
    public int helpers() {
      return run.helpers();
    }

    @Override
    public void unit(int unit) {
      run.unit(unit);
    }

    @Override
    public SegmentRows result() {
      if (request.countOnly()) {
        PrimaryKeys none =
            hasTextKeys(held) ? PrimaryKeys.of(new String[0]) : PrimaryKeys.of(new long[0]);
        return new SegmentRows(none, new long[0], new RowRef[0], run.count());
      }
      RowMerge.Merged merged = RowMerge.merge(run.rows(), request.limit(), hasTextKeys(held));
      return new SegmentRows(
          merged.keys(),
          merged.rowTs(),
          refs(held, merged.sources(), merged.rows()),
          merged.size());
    }
  }

  @Override
  public CompletableFuture<FetchedRows> fetch(CallContext context, FetchRows request) {
    return on(pool::execute, () -> fetchNow(request));
  }

  private FetchedRows fetchNow(FetchRows request) {
    Map<SegmentId, Integer> places = new TreeMap<>();
    for (RowRef ref : request.rows()) {
      places.putIfAbsent(ref.segment(), places.size());
    }
    List<SegmentId> ids = new ArrayList<>(places.keySet());
    ids.sort(java.util.Comparator.comparing(places::get));
    List<LoadedSegment> held = holdAll(ids, List.of());
    try {
      int[] sources = new int[request.rows().length];
      int[] rows = new int[sources.length];
      for (int i = 0; i < rows.length; i++) {
        sources[i] = places.getOrDefault(request.rows()[i].segment(), -1);
        rows[i] = request.rows()[i].offset();
      }
      List<Outputs.Place> from = new ArrayList<>();
      held.forEach(segment -> from.add(Outputs.Place.of(segment.segment())));
      CollectionSchema schema =
          held.isEmpty()
              ? new CollectionSchema("", "", false, 0, List.of())
              : newest(held).schema();
      return new FetchedRows(
          Outputs.fetch(
              held.isEmpty() ? List.of() : Outputs.fields(schema, request.fields()),
              sources,
              rows,
              from));
    } finally {
      releaseAll(held);
    }
  }

  /// Releases every segment and ends the loops. Idempotent.
  @Override
  public void close() {
    List.copyOf(segments.keySet()).forEach(this::releaseNow);
    loops.forEach(Loop::close);
  }
}
