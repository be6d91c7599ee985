package io.elanus.engine.storage.object;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/// Produces the bytes of a large object. When it throws, nothing is stored.
@FunctionalInterface
public interface ObjectWriter {
  /// Writes the whole object to `out`, in order; doesn't close it.
  void writeTo(WritableByteChannel out) throws IOException;
}
