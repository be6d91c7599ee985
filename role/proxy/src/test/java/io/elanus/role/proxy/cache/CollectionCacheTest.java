package io.elanus.role.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.role.proxy.task.FakeCluster;
import io.elanus.testkit.ManualClock;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CollectionCacheTest {
  private static final CallContext CONTEXT = CallContext.background("test");

  private final List<CompletableFuture<CatalogService.CollectionView>> asked = new ArrayList<>();
  private final CollectionCache cache =
      new CollectionCache(
          new FakeCluster.EmptyCatalog() {
            @Override
            public CompletableFuture<CollectionView> collection(
                CallContext context, FindCollection request) {
              CompletableFuture<CollectionView> answer = new CompletableFuture<>();
              asked.add(answer);
              return answer;
            }
          },
          new ManualClock(),
          CollectionCache.Stats.NONE);

  private static CatalogService.CollectionView version(int version) {
    return new CatalogService.CollectionView(FakeCluster.collection(version, 1), List.of("alias"));
  }

  @Test
  void asksOnceForManyWaiters() {
    CompletableFuture<CachedCollection> first = cache.byName(CONTEXT, "default", "c");
    CompletableFuture<CachedCollection> second = cache.byName(CONTEXT, "default", "c");
    asked.get(0).complete(version(0));

    assertThat(asked).hasSize(1);
    assertThat(first.join()).isSameAs(second.join());
    assertThat(cache.byName(CONTEXT, "default", "c").join()).isSameAs(first.join());
  }

  @Test
  void staleFillDoesNotOutliveAnInvalidation() {
    CompletableFuture<CachedCollection> early = cache.byName(CONTEXT, "default", "c");

    cache.invalidate("default", List.of("c"), FakeCluster.COLLECTION);
    asked.get(0).complete(version(0));
    CompletableFuture<CachedCollection> late = cache.byName(CONTEXT, "default", "c");
    asked.get(1).complete(version(1));

    assertThat(early.join().schema().version()).isZero();
    assertThat(late.join().schema().version()).isEqualTo(1);
  }

  @Test
  void forgetsACollectionUnderNamesThatTheInvalidationDidNotMention() {
    cache.byName(CONTEXT, "default", "alias");
    cache.byId(CONTEXT, FakeCluster.COLLECTION);
    asked.forEach(answer -> answer.complete(version(0)));

    cache.invalidate("default", List.of("c"), FakeCluster.COLLECTION);

    assertThat(cache.size()).isZero();
  }

  @Test
  void keepsOtherCollections() {
    cache.byName(CONTEXT, "default", "c");
    asked.get(0).complete(version(0));

    cache.invalidate("default", List.of("other"), new CollectionId(99));

    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void doesNotRememberFailures() {
    CompletableFuture<CachedCollection> first = cache.byName(CONTEXT, "default", "c");
    asked.get(0).completeExceptionally(DbException.of(ErrorCode.COLLECTION_NOT_FOUND));

    assertThatThrownBy(first::join).hasMessageContaining("collection not found");
    cache.byName(CONTEXT, "default", "c");
    assertThat(asked).hasSize(2);
  }
}
