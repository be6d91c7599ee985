package io.elanus.role.coord.world;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.Done;
import io.elanus.wire.service.StreamingService;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Answers a ManualFlush with the growing segments that the test planted.
public final class FakeWal implements StreamingService {
  public final TreeMap<VChannel, List<SegmentId>> growing = new TreeMap<>();
  public long nextTick = 1000;

  @Override
  public CompletableFuture<AppendReply> append(CallContext context, AppendRequest request) {
    List<SegmentId> sealed = growing.getOrDefault(request.vchannel(), List.of());
    growing.remove(request.vchannel());
    nextTick += 10;
    return CompletableFuture.completedFuture(
        new AppendReply(
            List.of(
                new AppendResult(
                    request.vchannel(), new MessageId(nextTick), new HybridTs(nextTick), sealed))));
  }

  private static <T> CompletableFuture<T> notUsed() {
    return CompletableFuture.failedFuture(DbException.of(ErrorCode.UNIMPLEMENTED));
  }

  @Override
  public CompletableFuture<ChannelOpened> open(CallContext context, OpenChannel request) {
    return notUsed();
  }

  @Override
  public CompletableFuture<Done> close(CallContext context, CloseChannel request) {
    return notUsed();
  }

  @Override
  public CompletableFuture<Done> forgetBroadcast(CallContext context, ForgetBroadcast request) {
    return notUsed();
  }
}
