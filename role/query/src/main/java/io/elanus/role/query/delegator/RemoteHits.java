package io.elanus.role.query.delegator;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.role.query.reduce.HitSource;
import io.elanus.wire.service.QueryNodeService.SegmentHits;

/// Hits that another node answered; a hit's row is its index in the answer.
///
/// Confined to the caller.
final class RemoteHits implements HitSource {
  private final SegmentHits hits;
  private final int[] starts;

  RemoteHits(SegmentHits hits) {
    this.hits = hits;
    this.starts = new int[hits.counts().length + 1];
    for (int i = 0; i < hits.counts().length; i++) {
      starts[i + 1] = starts[i] + hits.counts()[i];
    }
  }

  @Override
  public int count(int query) {
    return hits.counts()[query];
  }

  @Override
  public float scoreAt(int query, int rank) {
    return hits.scores()[starts[query] + rank];
  }

  @Override
  public PrimaryKeys keysOf(int query) {
    int[] indexes = new int[count(query)];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = starts[query] + i;
    }
    return hits.keys().take(indexes);
  }

  @Override
  public long rowTsAt(int query, int rank) {
    return hits.rowTs()[starts[query] + rank];
  }

  @Override
  public int rowAt(int query, int rank) {
    return starts[query] + rank;
  }
}
