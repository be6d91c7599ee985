package io.elanus.role.proxy.api;

import io.elanus.base.column.Column;

/// A column by field name, as clients send and get it. `dynamic` marks the JSON column of dynamic
/// keys (name empty or `$meta` on the way in).
///
/// Immutable.
public record NamedColumn(String name, boolean dynamic, Column column) {}
