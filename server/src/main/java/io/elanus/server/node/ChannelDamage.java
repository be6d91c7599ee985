package io.elanus.server.node;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.StreamingService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Watches the opening of channels for a log that is damaged. The coordinator keeps trying, as it
/// must in a cluster; a process that is the only owner can only refuse to start.
///
/// Thread-safe: the future is completed once.
final class ChannelDamage implements StreamingService {
  private final StreamingService node;
  private final CompletableFuture<Void> found = new CompletableFuture<>();

  ChannelDamage(StreamingService node) {
    this.node = node;
  }

  /// Fails with the damage once a channel can't be opened because of it; never completes otherwise.
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
          if (cause instanceof DbException known && known.code() == ErrorCode.DATA_INTEGRITY) {
            found.completeExceptionally(known);
          }
        });
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
