package io.elanus.role.proxy.api;

import java.util.Map;

/// A scalar query. `params` are the key-value pairs of `query_params` (`limit`, `offset`,
/// `iterator`, ...), unchecked.
///
/// Immutable.
public record QueryRequest(
    ReadTarget target, Map<String, String> params, Consistency consistency) {}
