package io.elanus.role.data;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.loop.Threads;
import io.elanus.base.loop.WorkPool;
import io.elanus.base.time.Clock;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.data.compaction.Compactor;
import io.elanus.role.data.indexbuild.IndexTask;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataNodeService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs index builds and compactions on two pools of its own. A build spreads over idle threads of
/// its pool.
///
/// Errors of both calls: 4 when the queue is full, 10001 when the deadline passed before a thread
/// was free, 604 or 1009 for an object that is missing or damaged, 701 for an index that is not
/// supported, 1001 when the object store failed.
///
/// Thread-safe: tasks share nothing.
public final class DataNode implements DataNodeService, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataNode.class);

  private final Clock clock;
  private final ObjectStore store;
  private final WorkPool builds;
  private final WorkPool compactions;

  public DataNode(Threads threads, ObjectStore store, DataConfig config) {
    this.clock = threads.clock();
    this.store = store;
    this.builds = threads.pool("data/build", config.threadsForBuilds(), config.queueLength());
    this.compactions =
        threads.pool("data/compaction", config.compactionThreads(), config.queueLength());
  }

  @Override
  public CompletableFuture<IndexBuilt> buildIndex(CallContext context, BuildIndex request) {
    return run(
        builds,
        context,
        () -> new IndexBuilt(new IndexTask(store, builds, builds.threads()).run(request)));
  }

  @Override
  public CompletableFuture<Compacted> compact(CallContext context, Compact request) {
    return run(compactions, context, () -> new Compacted(new Compactor(store).run(request)));
  }

  private <T> CompletableFuture<T> run(WorkPool pool, CallContext context, Supplier<T> task) {
    CompletableFuture<T> reply = new CompletableFuture<>();
    try {
      pool.execute(() -> {
        if (context.deadline().hasPassed(clock)) {
          reply.completeExceptionally(
              DbException.described(ErrorCode.DEADLINE_EXCEEDED, context.requestId()));
          return;
        }
        answer(context, task, reply);
      });
    } catch (RejectedExecutionException e) {
      reply.completeExceptionally(DbException.of(ErrorCode.TOO_MANY_REQUESTS).causedBy(e));
    }
    return reply;
  }

  private <T> void answer(CallContext context, Supplier<T> task, CompletableFuture<T> reply) {
    long began = clock.nanoTime();
    try {
      T value = task.get();
      LOG.atInfo()
          .addKeyValue("task", context.requestId())
          .addKeyValue("ms", (clock.nanoTime() - began) / 1_000_000)
          .log("task done");
      reply.complete(value);
    } catch (DbException e) {
      reply.completeExceptionally(e);
    } catch (Throwable e) {
      // Whoever waits for the answer must hear of it; the pool reports the fault itself.
      reply.completeExceptionally(DbException.unexpected(String.valueOf(e.getMessage()), e));
      throw e;
    }
  }

  /// Refuses new tasks and gives up those that run: the coordinator asks again, and what they wrote
  /// is not yet part of anything. Idempotent.
  @Override
  public void close() {
    builds.cancel();
    compactions.cancel();
    builds.close();
    compactions.close();
  }
}
