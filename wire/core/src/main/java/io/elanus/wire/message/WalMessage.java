package io.elanus.wire.message;

import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;

/// A message of the WAL: header and body.
///
/// Immutable.
public record WalMessage(MessageHeader header, Message body) {
  /// A message that is about to be appended to `vchannel`.
  public static WalMessage of(VChannel vchannel, Message body) {
    return new WalMessage(MessageHeader.of(vchannel), body);
  }

  public VChannel vchannel() {
    return header.vchannel();
  }

  public HybridTs timeTick() {
    return header.timeTick();
  }

  public MessageType type() {
    return body.type();
  }

  public WalMessage withHeader(MessageHeader newHeader) {
    return new WalMessage(newHeader, body);
  }

  public WalMessage withBody(Message newBody) {
    return new WalMessage(header, newBody);
  }

  /// What the message locks where it is appended: control-channel copies never block (rule W-08).
  public MessageType.Scope scope() {
    return vchannel().isControlChannel() ? MessageType.Scope.SHARED : type().scope();
  }
}
