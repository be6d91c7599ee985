package io.elanus.server.rpc;

import io.elanus.base.random.Rng;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.wire.http.HttpCall;
import io.elanus.wire.http.HttpHandler;
import io.elanus.wire.http.HttpReply;
import io.elanus.wire.service.CallContext;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One HTTP/1.1 connection: reads whole requests, hands them to the handler, writes the answers in
/// the order of the requests even when several were sent at once.
///
/// Confined to its channel's event loop.
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);
  private static final int IDLE_S = 300;
  private static final int MAX_IN_FLIGHT = 128;

  /// What all connections of a port share.
  record Shared(HttpHandler handler, Clock clock, Rng rng, Duration timeout, int maxBodyBytes) {}

  private final Shared shared;
  private final ArrayDeque<CompletableFuture<HttpReply>> waiting = new ArrayDeque<>();

  private HttpConnection(Shared shared) {
    this.shared = shared;
  }

  static void install(ChannelPipeline pipeline, Shared shared) {
    pipeline.addLast(new IdleStateHandler(0, 0, IDLE_S));
    pipeline.addLast(new HttpServerCodec());
    pipeline.addLast(new HttpServerKeepAliveHandler());
    pipeline.addLast(new HttpObjectAggregator(shared.maxBodyBytes()));
    pipeline.addLast(new HttpConnection(shared));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (waiting.size() >= MAX_IN_FLIGHT) {
      context.close();
      return;
    }
    CompletableFuture<HttpReply> reply;
    try {
      reply = shared.handler().handle(callOf(request)).exceptionally(HttpConnection::failed);
    } catch (RuntimeException e) {
      reply = CompletableFuture.completedFuture(failed(e));
    }
    waiting.add(reply);
    reply.whenComplete((_, _) -> context.executor().execute(() -> writeReady(context)));
  }

  private static HttpReply failed(Throwable fault) {
    log.atError().setCause(fault).log("HTTP handler failed");
    return HttpReply.text(500, "internal error");
  }

  private void writeReady(ChannelHandlerContext context) {
    boolean wrote = false;
    while (true) {
      CompletableFuture<HttpReply> head = waiting.peek();
      if (head == null || !head.isDone()) {
        break;
      }
      waiting.remove();
      write(context, head.join());
      wrote = true;
    }
    if (wrote) {
      context.flush();
    }
  }

  private static void write(ChannelHandlerContext context, HttpReply reply) {
    DefaultFullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(reply.status()),
            Unpooled.wrappedBuffer(reply.body()));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
    reply.headers().forEach((name, value) -> response.headers().set(name, value));
    context.write(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  private HttpCall callOf(FullHttpRequest request) {
    Map<String, String> headers = new TreeMap<>();
    request.headers().forEach(e -> headers.put(e.getKey().toLowerCase(Locale.ROOT), e.getValue()));
    QueryStringDecoder uri = new QueryStringDecoder(request.uri());
    Map<String, String> query = new TreeMap<>();
    for (Map.Entry<String, List<String>> parameter : uri.parameters().entrySet()) {
      query.put(parameter.getKey(), parameter.getValue().getLast());
    }
    CallContext context =
        new CallContext(
            Deadline.after(shared.clock(), timeoutOf(headers.get("request-timeout"))),
            Long.toHexString(shared.rng().nextLong()),
            headers.getOrDefault("idempotency-key", "").strip());
    return new HttpCall(
        request.method().name(),
        uri.path(),
        query,
        headers,
        ByteBufUtil.getBytes(request.content()),
        context);
  }

  private Duration timeoutOf(@Nullable String seconds) {
    if (seconds == null) {
      return shared.timeout();
    }
    try {
      long value = Long.parseLong(seconds.strip());
      return value > 0 ? Duration.ofSeconds(value) : shared.timeout();
    } catch (NumberFormatException e) {
      return shared.timeout(); // The contract ignores what it can't read here.
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof IdleStateEvent && waiting.isEmpty()) {
      context.close();
    } else {
      super.userEventTriggered(context, event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    log.atDebug().setCause(cause).log("HTTP connection failed");
    context.close();
  }
}
