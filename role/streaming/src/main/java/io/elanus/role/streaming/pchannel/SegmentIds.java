package io.elanus.role.streaming.pchannel;

import io.elanus.base.id.SegmentId;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.service.TsoService.AllocId;
import io.elanus.wire.service.TsoService.IdRange;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/// Segment ids in stock, so that creating one doesn't wait.
///
/// Owned by: the sequencer's loop.
final class SegmentIds {
  private static final int CHUNK = 16;

  private final TsoService tso;
  private final ArrayDeque<SegmentId> stock = new ArrayDeque<>();

  SegmentIds(TsoService tso) {
    this.tso = tso;
  }

  boolean has(int count) {
    return stock.size() >= count;
  }

  SegmentId take() {
    return stock.removeFirst();
  }

  CompletableFuture<IdRange> ask(CallContext context, int count) {
    return tso.allocId(context, new AllocId(Math.max(CHUNK, count)));
  }

  void add(IdRange range) {
    for (int i = 0; i < range.count(); i++) {
      stock.add(new SegmentId(range.first() + i));
    }
  }
}
