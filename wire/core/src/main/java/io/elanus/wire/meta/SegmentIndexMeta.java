package io.elanus.wire.meta;

import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;

/// A finished index of one segment. An empty `path` means that the segment is too small for a real
/// index and is searched exactly.
///
/// Immutable.
public record SegmentIndexMeta(
    IndexId indexId, FieldId fieldId, String path, long sizeBytes, int rows) {}
