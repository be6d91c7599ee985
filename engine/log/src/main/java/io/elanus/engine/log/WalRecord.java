package io.elanus.engine.log;

import io.elanus.base.id.MessageId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// A record as read: its payload is `length` bytes of `buffer` from `offset`. The buffer is shared
/// with the other records of the batch and never reused; nobody may write to it.
///
/// Immutable.
public record WalRecord(MessageId id, byte[] buffer, int offset, int length) {
  /// The payload, copied.
  public byte[] payload() {
    return Arrays.copyOfRange(buffer, offset, offset + length);
  }

  /// The payload, not copied, read-only.
  public ByteBuffer view() {
    return ByteBuffer.wrap(buffer, offset, length).slice().asReadOnlyBuffer();
  }
}
