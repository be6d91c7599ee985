package io.elanus.engine.storage.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A channel lent to an [ObjectWriter]: writes whole buffers, and closing it leaves the file open,
/// which still has to be synced.
///
/// Confined to the caller.
final class OpenChannel implements WritableByteChannel {
  private final WritableByteChannel file;

  OpenChannel(WritableByteChannel file) {
    this.file = file;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int length = source.remaining();
    while (source.hasRemaining()) {
      file.write(source);
    }
    return length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
