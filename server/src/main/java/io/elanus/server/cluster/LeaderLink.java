package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.base.time.Deadline;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.role.coord.part.Waits;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.NodeLinks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Clients of whichever coordinator is active. A call that finds none waits for one, within its
/// deadline and [#PATIENCE]; a call that was sent is never sent again, for it may have been carried
/// out.
///
/// Thread-safe: the waiters' future is replaced on the loop, readers see one or the other.
public final class LeaderLink implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Threads threads;
  private final Loop loop;
  private final Members members;
  private final PrefixFollower follower;
  private volatile CompletableFuture<NodeId> leader = new CompletableFuture<>();

  public LeaderLink(MetaStore meta, Threads threads, Loop loop, Members members) {
    this.threads = threads;
    this.loop = loop;
    this.members = members;
    this.follower = new PrefixFollower(meta, threads, loop, Election.LEADER_KEY, this::changed);
  }

  /// Completes once it is known who leads, or that nobody does.
  public CompletableFuture<Void> start() {
    return follower.start();
  }

  private void changed(Map<String, KeyValue> entries) {
    KeyValue entry = entries.get(Election.LEADER_KEY);
    if (entry == null) {
      if (leader.isDone()) {
        leader = new CompletableFuture<>();
      }
      return;
    }
    NodeId now = new NodeId(Long.parseLong(new String(entry.value(), StandardCharsets.UTF_8)));
    if (leader.isDone()) {
      leader = CompletableFuture.completedFuture(now);
    } else {
      leader.complete(now);
    }
  }

  /// A client of one of the coordinator's services: an interface of `wire.service` whose methods
  /// take a [CallContext] and a request and answer a future.
  public <S> S client(Class<S> service) {
    NodeLinks<S> links = members.links(Role.COORDINATOR, service);
    Object client =
        Proxy.newProxyInstance(
            service.getClassLoader(),
            new Class<?>[] {service},
            (proxy, method, arguments) ->
                method.getDeclaringClass() == Object.class
                    ? method.invoke(this, arguments)
                    : call(links, method, arguments));
    return service.cast(client);
  }

  private <S> CompletableFuture<Object> call(
      NodeLinks<S> links, Method method, Object @Nullable [] arguments) {
    if (arguments == null || !(arguments[0] instanceof CallContext context)) {
      throw new IllegalArgumentException(method + " is not a call between roles");
    }
    CompletableFuture<NodeId> known = leader;
    if (!known.isDone()) {
      Deadline patience = Deadline.after(threads.clock(), PATIENCE);
      known =
          Waits.until(
                  context.deadline().earlier(patience), threads, Waits.unlessClosed(loop), known)
              .exceptionallyCompose(failure ->
                  CompletableFuture.failedFuture(
                      context.deadline().hasPassed(threads.clock())
                          ? Waits.cause(failure)
                          : DbException.described(
                              ErrorCode.SERVICE_UNAVAILABLE, "no coordinator is active")));
    }
    return known.thenCompose(node -> invoke(links.node(node), method, arguments));
  }

  @SuppressWarnings("unchecked")
  private static CompletableFuture<Object> invoke(
      Object target, Method method, Object[] arguments) {
    try {
      return (CompletableFuture<Object>) method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return CompletableFuture.failedFuture(cause);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    follower.close();
    leader.completeExceptionally(
        DbException.described(ErrorCode.SERVICE_UNAVAILABLE, "the process is stopping"));
  }
}
