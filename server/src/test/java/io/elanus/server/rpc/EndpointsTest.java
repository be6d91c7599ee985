package io.elanus.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.time.Deadline;
import io.elanus.base.time.SystemClock;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DataNodeService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.ProxyCacheService;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import io.grpc.ServerServiceDefinition;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every internal call, over a real connection, with requests and replies whose every component is
/// filled.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EndpointsTest {
  private static final int SEEDS = 25;

  /// A service of the table: its interface, its calls, both ends of the wire.
  private record Service<S>(
      Class<S> type,
      List<Endpoint<S, ?, ?>> endpoints,
      BiFunction<InternalServer, S, ServerServiceDefinition> serve,
      Function<RemoteLink, S> client) {

    ServerServiceDefinition serve(InternalServer server, Answering answering) {
      return serve.apply(server, type.cast(answering.as(type)));
    }
  }

  private static final List<Service<?>> SERVICES =
      List.of(
          new Service<>(
              TsoService.class, Endpoints.TSO, InternalServer::serve, RemoteServices::tso),
          new Service<>(
              CatalogService.class,
              Endpoints.CATALOG,
              InternalServer::serve,
              RemoteServices::catalog),
          new Service<>(
              QueryCoordService.class,
              Endpoints.QUERYCOORD,
              InternalServer::serve,
              RemoteServices::queryCoord),
          new Service<>(
              StreamingService.class,
              Endpoints.STREAMING,
              InternalServer::serve,
              RemoteServices::streaming),
          new Service<>(
              DelegatorService.class,
              Endpoints.DELEGATOR,
              InternalServer::serve,
              RemoteServices::delegator),
          new Service<>(
              DataNodeService.class,
              Endpoints.DATANODE,
              InternalServer::serve,
              RemoteServices::dataNode),
          new Service<>(
              ProxyCacheService.class,
              Endpoints.PROXYCACHE,
              InternalServer::serve,
              RemoteServices::proxyCache),
          new Service<>(
              DataCoordService.class,
              Endpoints.DATACOORD,
              InternalServer::serve,
              RemoteServices::dataCoord),
          new Service<>(
              QueryNodeService.class,
              Endpoints.QUERYNODE,
              InternalServer::serve,
              RemoteServices::queryNode));

  /// Notes the one call that is made at a time and answers what it is told to.
  private static final class Answering {
    private volatile String method = "";
    private volatile String request = "";
    private volatile CallContext context = CallContext.background("none");
    private volatile Object reply = "unset";

    Object as(Class<?> service) {
      return Proxy.newProxyInstance(
          service.getClassLoader(),
          new Class<?>[] {service},
          (_, called, arguments) -> {
            method = called.getName();
            context = (CallContext) arguments[0];
            request = Samples.describe(arguments[1]);
            return CompletableFuture.completedFuture(reply);
          });
    }
  }

  private static final Answering ANSWERING = new Answering();
  private static final Loopback SERVING = new Loopback("serving");
  private static final Loopback CALLING = new Loopback("calling");
  private static final RemoteLink LINK = CALLING.link(start().port());

  private static PortServer start() {
    InternalServer server = SERVING.services();
    return SERVING.listen(
        SERVICES.stream()
            .map(service -> service.serve(server, ANSWERING))
            .toArray(ServerServiceDefinition[]::new));
  }

  @AfterAll
  static void close() {
    CALLING.close();
    SERVING.close();
  }

  static Stream<String> calls() {
    return SERVICES.stream().flatMap(s -> s.endpoints().stream().map(Endpoint::name));
  }

  private static Service<?> serviceOf(String call) {
    return SERVICES.stream()
        .filter(s -> s.endpoints().stream().anyMatch(e -> e.name().equals(call)))
        .findFirst()
        .orElseThrow();
  }

  private static Endpoint<?, ?, ?> endpoint(String call) {
    return serviceOf(call).endpoints().stream()
        .filter(e -> e.name().equals(call))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyMethodOfAServiceHasItsCall() {
    for (Service<?> service : SERVICES) {
      List<String> methods =
          Arrays.stream(service.type().getMethods())
              .map(method -> service.type().getSimpleName() + "/" + method.getName())
              .toList();

      assertThat(service.endpoints().stream().map(Endpoint::name))
          .containsExactlyInAnyOrderElementsOf(methods);
    }
  }

  @ParameterizedTest
  @MethodSource("calls")
  void requestAndReplyCrossTheLinkUnchanged(String call) throws Exception {
    Service<?> service = serviceOf(call);
    Endpoint<?, ?, ?> endpoint = endpoint(call);
    String name = call.substring(call.indexOf('/') + 1);
    Method method = service.type().getMethod(name, CallContext.class, endpoint.request());
    Object client = service.client().apply(LINK);
    for (int seed = 0; seed < SEEDS; seed++) {
      Samples samples = new Samples(seed);
      for (Object request : samples.ofEachKind(endpoint.request())) {
        for (Object reply : samples.ofEachKind(endpoint.reply())) {
          ANSWERING.reply = reply;
          CallContext context = CallContext.background("request " + seed);

          Object received = join(method.invoke(client, context, request));

          assertThat(ANSWERING.method).isEqualTo(name);
          assertThat(ANSWERING.context).isEqualTo(context);
          assertThat(ANSWERING.request).as("seed %d", seed).isEqualTo(Samples.describe(request));
          assertThat(Samples.describe(received))
              .as("seed %d", seed)
              .isEqualTo(Samples.describe(reply));
        }
      }
    }
  }

  private static Object join(Object future) {
    return Objects.requireNonNull(
        ((CompletableFuture<?>) future).orTimeout(30, TimeUnit.SECONDS).join());
  }

  @Test
  void theDeadlineCrossesTheLinkAsTimeLeft() {
    ANSWERING.reply = new TsoService.IdRange(1, 1);
    Deadline given = Deadline.after(SystemClock.INSTANCE, Duration.ofMinutes(10));
    long began = SystemClock.INSTANCE.nanoTime();

    RemoteServices.tso(LINK)
        .allocId(new CallContext(given, "timed"), new TsoService.AllocId(1))
        .join();

    // Both processes of this test read one clock: what the way took is added, never cut off.
    long wayNanos = SystemClock.INSTANCE.nanoTime() - began;
    assertThat(ANSWERING.context.deadline().atNanos())
        .isBetween(given.atNanos(), given.atNanos() + wayNanos);
  }
}
