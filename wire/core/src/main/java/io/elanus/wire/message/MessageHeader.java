package io.elanus.wire.message;

import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What every WAL message carries besides its body (rule W-06). Before the append, `timeTick` is
/// zero and `lastConfirmed` is [MessageId#NONE]; the sequencer sets both.
///
/// `txnId` is 0 outside transactions. `properties` holds the optional extras: trace context, `_ik`,
/// `_ur`. Immutable.
public record MessageHeader(
    VChannel vchannel,
    HybridTs timeTick,
    MessageId lastConfirmed,
    long txnId,
    @Nullable BroadcastHeader broadcast,
    Map<String, String> properties) {
  public static final String IDEMPOTENCY_KEY = "_ik";

  /// Digest of the request that came under the key: another request must not get its answer.
  public static final String REQUEST_DIGEST = "_ikd";

  public static final String TRACE_PARENT = "traceparent";

  public MessageHeader {
    properties =
        properties.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(properties));
  }

  /// A header before the append.
  public static MessageHeader of(VChannel vchannel) {
    return new MessageHeader(vchannel, HybridTs.ZERO, MessageId.NONE, 0, null, Map.of());
  }

  public MessageHeader stamped(HybridTs tick, MessageId confirmed) {
    return new MessageHeader(vchannel, tick, confirmed, txnId, broadcast, properties);
  }

  public MessageHeader inTxn(long id) {
    return new MessageHeader(vchannel, timeTick, lastConfirmed, id, broadcast, properties);
  }

  public MessageHeader withBroadcast(BroadcastHeader header) {
    return new MessageHeader(vchannel, timeTick, lastConfirmed, txnId, header, properties);
  }

  public MessageHeader on(VChannel target) {
    return new MessageHeader(target, timeTick, lastConfirmed, txnId, broadcast, properties);
  }
}
