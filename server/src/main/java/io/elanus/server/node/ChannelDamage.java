package io.elanus.server.node;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.StreamingService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Watches the opening of channels for a log that is damaged or of a newer version. The coordinator
/// keeps trying, as it must in a cluster; a process that is the only owner can only refuse to
/// start.
///
/// Thread-safe: the future is completed once.
final class ChannelDamage implements StreamingService {
  private final StreamingService node;
  private final CompletableFuture<Void> found = new CompletableFuture<>();

  ChannelDamage(StreamingService node) {
    this.node = node;
  }

  /// Fails with the reason once a channel can't be opened for good; never completes otherwise.
  CompletableFuture<Void> found() {
    return found;
  }

  @Override
  public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
    return node.open(context, request)
        .whenComplete((_, fault) -> {
          Throwable cause = fault;
          while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
          }
          if (cause instanceof DbException known && isForGood(known.code())) {
            found.completeExceptionally(known);
          }
        });
  }

  private static boolean isForGood(ErrorCode code) {
    return code == ErrorCode.DATA_INTEGRITY || code == ErrorCode.OPERATION_UNSUPPORTED;
  }

  @Override
  public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
    return node.close(context, request);
  }

  @Override
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    return node.append(context, request);
  }

  @Override
  public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
    return node.forgetBroadcast(context, request);
  }
}
