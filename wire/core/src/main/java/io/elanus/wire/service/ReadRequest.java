package io.elanus.wire.service;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.MetricType;
import io.elanus.base.time.HybridTs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads of one shard.
///
/// `filter` is the canonical text of a checked expression, templates filled in; empty = all rows.
/// `outputs` are fetched for the winners only.
///
/// Immutable.
public sealed interface ReadRequest {
  Scope scope();

  Guarantee guarantee();

  String filter();

  /// What is read: a shard, the partitions (empty = all loaded ones), and whether growing segments
  /// are left out.
  record Scope(
      VChannel vchannel,
      CollectionId collectionId,
      List<PartitionId> partitions,
      boolean ignoreGrowing) {
    public Scope {
      partitions = List.copyOf(partitions);
    }
  }

  /// The read waits until ServiceTime ≥ `guaranteeTs`; it reads at `readTs`, or, when that is null,
  /// at max(guarantee, ServiceTime) of the shard (rule C-05).
  record Guarantee(HybridTs guaranteeTs, @Nullable HybridTs readTs) {}

  /// Vector search: for each of `nq` queries (row-major in `vectors`, nq × dim) the best `k`.
  /// `params` are the index search parameters plus `radius`, `range_filter`.
  record Search(
      Scope scope, Guarantee guarantee, String filter, Target target, List<FieldId> outputs)
      implements ReadRequest {
    public record Target(
        FieldId field,
        MetricType metric,
        int dim,
        float[] vectors,
        int k,
        Map<String, String> params) {
      public int nq() {
        return vectors.length / dim;
      }
    }

    public Search {
      outputs = List.copyOf(outputs);
    }
  }

  /// Rows that match, ordered by primary key, at most `limit` (-1 = no limit).
  record Query(Scope scope, Guarantee guarantee, String filter, List<FieldId> outputs, long limit)
      implements ReadRequest {
    public Query {
      outputs = List.copyOf(outputs);
    }
  }

  /// How many rows match.
  record Count(Scope scope, Guarantee guarantee, String filter) implements ReadRequest {}
}
