package io.elanus.role.proxy.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TimestampBatcherTest {
  private static final CallContext CONTEXT = CallContext.background("test");

  private final List<Integer> counts = new ArrayList<>();
  private final List<CompletableFuture<TsoService.TimestampRange>> grants = new ArrayList<>();
  private final TimestampBatcher batcher =
      new TimestampBatcher(
          new TsoService() {
            @Override
            public CompletableFuture<TimestampRange> allocTimestamp(
                CallContext context, AllocTimestamp request) {
              counts.add(request.count());
              CompletableFuture<TimestampRange> grant = new CompletableFuture<>();
              grants.add(grant);
              return grant;
            }

            @Override
            public CompletableFuture<IdRange> allocId(CallContext context, AllocId request) {
              throw new AssertionError("not expected");
            }
          });

  private void grant(int index, long first) {
    grants
        .get(index)
        .complete(new TsoService.TimestampRange(new HybridTs(first), counts.get(index)));
  }

  @Test
  void asksOnceForAllThatCameWhileAGrantWasOnItsWay() {
    CompletableFuture<HybridTs> first = batcher.next(CONTEXT);
    CompletableFuture<HybridTs> second = batcher.next(CONTEXT);
    CompletableFuture<HybridTs> third = batcher.next(CONTEXT);
    assertThat(counts).containsExactly(1);

    grant(0, 100);
    assertThat(first.join()).isEqualTo(new HybridTs(100));
    assertThat(second).isNotDone();
    grant(1, 200);

    assertThat(counts).containsExactly(1, 2);
    assertThat(second.join()).isEqualTo(new HybridTs(200));
    assertThat(third.join()).isEqualTo(new HybridTs(201));
  }

  @Test
  void asksAgainAfterAFailure() {
    CompletableFuture<HybridTs> first = batcher.next(CONTEXT);
    grants.get(0).completeExceptionally(DbException.of(ErrorCode.SERVICE_NOT_READY));
    CompletableFuture<HybridTs> second = batcher.next(CONTEXT);
    grant(1, 7);

    assertThat(first).isCompletedExceptionally();
    assertThat(second.join()).isEqualTo(new HybridTs(7));
  }
}
