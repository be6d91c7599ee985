package io.elanus.role.proxy.api;

import java.util.List;
import java.util.Map;

/// What a search or query reads: partitions by name (empty = all), filter text and its templates,
/// and the output fields asked for (names, `*`, `count(*)`, dynamic keys).
///
/// Immutable.
public record ReadTarget(
    String database,
    String collection,
    List<String> partitions,
    String filter,
    Map<String, TemplateArgument> templates,
    List<String> outputFields) {}
