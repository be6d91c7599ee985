package io.elanus.role.proxy.grpc;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An insert or upsert as it came from the wire, its float vectors left where they are in the
/// request's bytes: `floats[i]` belongs to `fields_data[i]` (null for other types), whose own list
/// is empty then. `sizeBytes` is the whole request.
///
/// Immutable: nobody writes the bytes any more.
record BulkRequest<T>(T message, List<@Nullable MemorySegment> floats, int sizeBytes) {}
