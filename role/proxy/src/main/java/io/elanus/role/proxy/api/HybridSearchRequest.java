package io.elanus.role.proxy.api;

import java.util.List;
import java.util.Map;

/// Several searches whose results are fused. `rankParams` hold `limit`, `offset`, `strategy`,
/// `params`. The sub searches' own targets give filter and partitions; output fields come from
/// `target`.
///
/// Immutable.
public record HybridSearchRequest(
    ReadTarget target,
    List<SearchRequest> searches,
    Map<String, String> rankParams,
    Consistency consistency) {}
