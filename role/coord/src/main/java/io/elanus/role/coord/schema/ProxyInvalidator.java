package io.elanus.role.coord.schema;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Deadline;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.ProxyCacheService.InvalidateCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes every proxy forget what a DDL changed, before the DDL answers (rule R-11). A proxy that
/// doesn't answer within a bound is left out: its lease has to fence it.
///
/// Thread-safe: stateless.
final class ProxyInvalidator {
  private static final Logger log = LoggerFactory.getLogger(ProxyInvalidator.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);

  private final NodeLinks<ProxyCacheService> proxies;
  private final Threads threads;
  private final Executor timeouts;

  ProxyInvalidator(NodeLinks<ProxyCacheService> proxies, Threads threads, Loop loop) {
    this.proxies = proxies;
    this.threads = threads;
    this.timeouts = Waits.unlessClosed(loop);
  }

  /// Never fails.
  CompletableFuture<Void> invalidate(String database, List<String> names, CollectionId id) {
    List<CompletableFuture<?>> answers = new ArrayList<>(1);
    Deadline deadline = Deadline.after(threads.clock(), ANSWER_WITHIN);
    CallContext context = new CallContext(deadline, "invalidate-" + id);
    InvalidateCache request = new InvalidateCache(database, names, id);
    for (NodeId node : proxies.nodes()) {
      CompletableFuture<?> answer;
      try {
        answer = proxies.node(node).invalidate(context, request);
      } catch (RuntimeException e) {
        answer = CompletableFuture.failedFuture(e);
      }
      if (answer.isDone() && !answer.isCompletedExceptionally()) {
        continue;
      }
      answers.add(
          Waits.until(deadline, threads, timeouts, answer)
              .handle((_, failure) -> {
                if (failure != null) {
                  log.atWarn()
                      .addKeyValue("proxy", node)
                      .setCause(failure)
                      .log("proxy didn't confirm the invalidation of its cache");
                }
                return failure == null;
              }));
    }
    return answers.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }
}
