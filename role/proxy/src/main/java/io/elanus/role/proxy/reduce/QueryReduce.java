package io.elanus.role.proxy.reduce;

import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.wire.service.ReadReply;
import java.util.ArrayList;
import java.util.List;

/// Merges rows of shards, each ordered by key, into one ascending order; every key once, then
/// offset and limit.
///
/// Thread-safe: stateless.
public final class QueryReduce {
  private QueryReduce() {}

  /// At most `limit` rows, -1 for all. `counts` of the result has one entry, `scores` none.
  public static Ranked merge(List<ReadReply.Rows> shards, long offset, long limit) {
    long wanted = limit < 0 ? Long.MAX_VALUE : limit;
    int[] at = new int[shards.size()];
    int total = 0;
    for (ReadReply.Rows rows : shards) {
      total += rows.keys().size();
    }
    Picks picks = new Picks((int) Math.min(total, wanted));
    long skipped = 0;
    int lastShard = -1;
    int lastRow = -1;
    while (picks.size() < wanted) {
      int best = smallest(shards, at);
      if (best < 0) {
        break;
      }
      int row = at[best]++;
      boolean seen =
          lastShard >= 0
              && PrimaryKeys.compare(
                      shards.get(lastShard).keys(), lastRow, shards.get(best).keys(), row)
                  == 0;
      if (seen) {
        continue;
      }
      lastShard = best;
      lastRow = row;
      if (skipped < offset) {
        skipped++;
      } else {
        picks.add(best, row);
      }
    }
    List<PrimaryKeys> keys = new ArrayList<>();
    List<ColumnBatch> fields = new ArrayList<>();
    for (ReadReply.Rows rows : shards) {
      keys.add(rows.keys());
      fields.add(rows.fields());
    }
    return new Ranked(
        new int[] {picks.size()}, picks.keys(keys), new float[0], new Ranked.Source(picks, fields));
  }

  private static int smallest(List<ReadReply.Rows> shards, int[] at) {
    int best = -1;
    for (int shard = 0; shard < at.length; shard++) {
      PrimaryKeys keys = shards.get(shard).keys();
      if (at[shard] < keys.size()
          && (best < 0
              || PrimaryKeys.compare(keys, at[shard], shards.get(best).keys(), at[best]) < 0)) {
        best = shard;
      }
    }
    return best;
  }
}
