package io.elanus.role.query.search;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.segment.Segment;
import io.elanus.role.query.reduce.HitSource;

/// Hits in one segment of this process.
///
/// Confined to the caller.
final class LocalHits implements HitSource {
  private final Segment segment;
  private final TopK[] outs;

  LocalHits(Segment segment, TopK[] outs) {
    this.segment = segment;
    this.outs = outs;
  }

  @Override
  public int count(int query) {
    return outs[query].size();
  }

  @Override
  public float scoreAt(int query, int rank) {
    return outs[query].scoreAt(rank);
  }

  @Override
  public PrimaryKeys keysOf(int query) {
    TopK out = outs[query];
    int[] rows = new int[out.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = out.rowAt(i);
    }
    return segment.keysAt(rows);
  }

  @Override
  public long rowTsAt(int query, int rank) {
    return segment.rowTsAt(outs[query].rowAt(rank));
  }

  @Override
  public int rowAt(int query, int rank) {
    return outs[query].rowAt(rank);
  }
}
