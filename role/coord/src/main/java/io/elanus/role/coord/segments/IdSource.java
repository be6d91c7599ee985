package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocId;
import io.elanus.wire.service.TsoService.IdRange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Ids for segments, builds and compactions, fetched in ranges.
///
/// Owned by: the coordinator's data loop.
final class IdSource {
  private static final int RANGE = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private record Waiter(LongConsumer use, Consumer<DbException> failed) {}

  private final TsoService tso;
  private final LoopWork work;
  private final Queue<Waiter> waiters = new ArrayDeque<>();
  private long next;
  private long end;
  private boolean asking;

  IdSource(TsoService tso, LoopWork work) {
    this.tso = tso;
    this.work = work;
  }

  /// Gives a fresh id, at once or later; calls exactly one of the two.
  void next(LongConsumer use, Consumer<DbException> failed) {
    if (waiters.isEmpty() && next < end) {
      use.accept(next++);
      return;
    }
    waiters.add(new Waiter(use, failed));
    ask();
  }

  private void ask() {
    if (asking) {
      return;
    }
    asking = true;
    work.call("alloc ids", TIMEOUT, context -> tso.allocId(context, new AllocId(RANGE)), this::got);
  }

  private void got(Outcome<IdRange> outcome) {
    asking = false;
    switch (outcome) {
      case Outcome.Done<IdRange>(var range) -> {
        next = range.first();
        end = range.first() + range.count();
        while (next < end && !waiters.isEmpty()) {
          waiters.remove().use().accept(next++);
        }
        if (!waiters.isEmpty()) {
          ask();
        }
      }
      case Outcome.Failed<IdRange>(var error) -> {
        Queue<Waiter> failed = new ArrayDeque<>(waiters);
        waiters.clear();
        failed.forEach(waiter -> waiter.failed().accept(error));
      }
    }
  }
}
