package io.elanus.sim;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.server.cluster.Connector;
import io.elanus.server.cluster.Session.Member;
import io.elanus.wire.service.Done;
import io.elanus.wire.status.WireStatus;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Calls between machines. Each takes its own time both ways, so calls overtake each other; one
/// into a cut, or to a machine that ends, fails late and with an unknown outcome, as over TCP.
///
/// Confined to the thread of the simulation.
final class SimNetwork {
  private static final Duration GIVE_UP = Duration.ofSeconds(5);

  private final SimScheduler scheduler;
  private final Rng rng;
  private final Mutation mutation;
  private final Map<String, Host> hosts = new TreeMap<>();
  private final TreeSet<String> cuts = new TreeSet<>();
  private final List<Call> underWay = new ArrayList<>();
  private boolean slow;

  private record Host(SimMachine machine, Map<Class<?>, Object> services) {}

  SimNetwork(SimScheduler scheduler, Rng rng, Mutation mutation) {
    this.scheduler = scheduler;
    this.mutation = mutation;
    this.rng = rng;
  }

  /// Machines are addressed by their names.
  void serve(SimMachine machine, Map<Class<?>, Object> services) {
    hosts.put(machine.name(), new Host(machine, services));
  }

  /// No message passes between the two until [#heal].
  void cut(String one, String other) {
    cuts.add(pair(one, other));
  }

  /// Messages take up to a second.
  void slowDown() {
    slow = true;
  }

  void heal() {
    cuts.clear();
    slow = false;
  }

  boolean isCut(String one, String other) {
    return cuts.contains(pair(one, other));
  }

  private static String pair(String one, String other) {
    return one.compareTo(other) < 0 ? one + "|" + other : other + "|" + one;
  }

  /// The process ended: its peers see their connections break.
  void ended(SimMachine machine) {
    hosts.remove(machine.name());
    for (Call call : List.copyOf(underWay)) {
      if (call.to.equals(machine.name())) {
        scheduler.after(latency(), call::broken);
      }
    }
  }

  /// Between 50 µs and a few milliseconds, now and then much more.
  long latency() {
    double draw = rng.nextDouble();
    long nanos = 50_000 + (long) (-Math.log(1 - draw) * 300_000);
    if (rng.nextInt(100) == 0) {
      nanos += rng.nextInt(100_000_000);
    }
    return slow ? nanos + rng.nextInt(1_000_000_000) : nanos;
  }

  /// The same for a request to a store, which once in a while is stuck for seconds.
  long storeLatency() {
    return latency() + (rng.nextInt(700) == 0 ? rng.nextInt(1_000_000_000) * 5L : 0);
  }

  Connector connectorOf(SimMachine from) {
    return new Connector() {
      @Override
      public <S> S connect(Member member, Class<S> service) {
        return client(from, member.address(), service);
      }

      @Override
      public void forget(Member member) {
        for (Call call : List.copyOf(underWay)) {
          if (call.from == from && call.to.equals(member.address())) {
            scheduler.after(0, call::broken);
          }
        }
      }
    };
  }

  /// A client of another machine's service, as [Connector] has it.
  <S> S client(SimMachine from, String to, Class<S> service) {
    Object client =
        Proxy.newProxyInstance(
            service.getClassLoader(),
            new Class<?>[] {service},
            (self, method, arguments) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.invoke(this, arguments);
              }
              Call call = new Call(from, to, service, method, arguments);
              call.send();
              return call.reply;
            });
    return service.cast(client);
  }

  private final class Call {
    final SimMachine from;
    final String to;
    private final Class<?> service;
    private final Method method;
    private final Object[] arguments;
    final CompletableFuture<Object> reply = new CompletableFuture<>();
    private boolean ended;

    Call(SimMachine from, String to, Class<?> service, Method method, Object[] arguments) {
      this.from = from;
      this.to = to;
      this.service = service;
      this.method = method;
      this.arguments = arguments;
    }

    void send() {
      underWay.add(this);
      if (isCut(from.name(), to)) {
        scheduler.after(GIVE_UP.toNanos(), this::broken);
      } else {
        scheduler.after(latency(), this::arrive);
      }
    }

    private void arrive() {
      Host host = hosts.get(to);
      Object target = host == null ? null : host.services().get(service);
      if (host == null || target == null) {
        broken();
      } else if (isCut(from.name(), to)) {
        scheduler.after(GIVE_UP.toNanos(), this::broken);
      } else {
        host.machine().net().execute(() -> carryOut(target));
      }
    }

    @SuppressWarnings("unchecked")
    private void carryOut(Object target) {
      if (mutation.swallows(method.getName())) {
        answered(Done.INSTANCE, null);
        return;
      }
      if (arguments.length == 2) {
        arguments[1] = mutation.request(arguments[1]);
      }
      CompletableFuture<Object> answer;
      try {
        answer = (CompletableFuture<Object>) method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        answer = CompletableFuture.failedFuture(cause);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
      answer.whenComplete(this::answered);
    }

    private void answered(@Nullable Object value, @Nullable Throwable failure) {
      DbException error = failure == null ? null : WireStatus.classify(failure);
      if (isCut(from.name(), to)) {
        scheduler.after(GIVE_UP.toNanos(), this::broken);
      } else {
        scheduler.after(latency(), () -> end(value, error));
      }
    }

    void broken() {
      end(
          null,
          DbException.described(ErrorCode.NODE_NOT_AVAILABLE, "connection to " + to + " broke"));
    }

    private void end(@Nullable Object value, @Nullable DbException error) {
      if (ended) {
        return;
      }
      ended = true;
      underWay.remove(this);
      from.net()
          .execute(() -> {
            if (error != null) {
              reply.completeExceptionally(error);
            } else {
              reply.complete(value);
            }
          });
    }
  }
}
