package io.elanus.role.coord.world;

import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import java.util.concurrent.CompletableFuture;

/// Ids and timestamps that count up.
public final class FakeTso implements TsoService {
  private long nextTs = 1_000_000;
  private long nextId = 10_000;

  @Override
  public CompletableFuture<TimestampRange> allocTimestamp(
      CallContext context, AllocTimestamp request) {
    long first = nextTs;
    nextTs += 1_000_000;
    return CompletableFuture.completedFuture(
        new TimestampRange(new HybridTs(first), request.count()));
  }

  @Override
  public CompletableFuture<IdRange> allocId(CallContext context, AllocId request) {
    long first = nextId;
    nextId += request.count();
    return CompletableFuture.completedFuture(new IdRange(first, request.count()));
  }
}
