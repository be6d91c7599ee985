package io.elanus.role.proxy.api;

import io.elanus.base.schema.DataType;
import java.util.List;
import java.util.Map;

/// A vector search. `params` are the key-value pairs of `search_params` (`anns_field`, `topk`,
/// `params` JSON, `metric_type`, `offset`, iterator keys ...), unchecked.
///
/// Immutable.
public record SearchRequest(
    ReadTarget target, Queries queries, Map<String, String> params, Consistency consistency) {

  /// The query vectors: `type` as the placeholder says (FLOAT_VECTOR, VARCHAR for texts ...), one
  /// blob a query. `claimedCount` is the request's `nq`, 0 when it said none.
  public record Queries(DataType type, List<byte[]> values, long claimedCount) {}
}
