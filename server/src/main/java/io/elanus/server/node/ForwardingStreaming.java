package io.elanus.server.node;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.StreamingService;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The coordinator's way to the WAL, which is made after the coordinator.
///
/// Thread-safe: the target is set once, before anything is started.
final class ForwardingStreaming implements StreamingService {
  private volatile @Nullable StreamingService target;

  void forwardTo(StreamingService service) {
    target = service;
  }

  private StreamingService target() {
    StreamingService service = target;
    if (service == null) {
      throw DbException.described(ErrorCode.SERVICE_NOT_READY, "the WAL is not there yet");
    }
    return service;
  }

  @Override
  public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
    return target().open(context, request);
  }

  @Override
  public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
    return target().close(context, request);
  }

  @Override
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    return target().append(context, request);
  }

  @Override
  public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
    return target().forgetBroadcast(context, request);
  }
}
