package io.elanus.engine.storage.object;

/// Key and size of a stored object.
///
/// Immutable.
public record ObjectStat(String key, long sizeBytes) {}
