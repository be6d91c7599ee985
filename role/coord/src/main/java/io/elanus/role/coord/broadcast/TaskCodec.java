package io.elanus.role.coord.broadcast;

import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.error.FormatErrors;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.MessageCodec;
import io.elanus.wire.message.WalMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Stored form of a broadcast task, version 1, under `broadcast/task/<id, 20 digits>`:
///
/// | part | bytes |
/// | --- | --- |
/// | version | u8 = 1 |
/// | state | u8: 1 pending, 2 replicated, 3 tombstone |
/// | keyed | u8: 1 when the message has an idempotency key |
/// | message | blob: the control channel's copy (MessageCodec); empty in tombstones without a key |
/// | copies | varint count, then each: vchannel text, u8 (1 appended, 2 acked), position i64, tick i64 |
///
/// A tombstone without a key answers no retry, so its message isn't kept.
///
/// Thread-safe: stateless.
final class TaskCodec {
  static final String PREFIX = "broadcast/task/";
  private static final int VERSION = 1;
  private static final int APPENDED = 1;
  private static final int ACKED = 2;

  private TaskCodec() {}

  /// A task as read: `task` is null for a tombstone whose message isn't kept.
  record Stored(
      BroadcastId id,
      boolean tombstone,
      boolean keyed,
      List<VChannel> targets,
      @Nullable BroadcastTask task) {}

  static String key(BroadcastId id) {
    return PREFIX + String.format(Locale.ROOT, "%020d", id.value());
  }

  /// The bytes of `task` as if it were in `state`.
  static byte[] encode(BroadcastTask task, BroadcastTask.State state) {
    boolean bare = state == BroadcastTask.State.TOMBSTONE && !task.isKeyed();
    ByteWriter out = new ByteWriter(bare ? 128 : 1024);
    out.u8(VERSION).u8(state.number()).u8(task.isKeyed() ? 1 : 0);
    out.blob(bare ? new byte[0] : MessageCodec.encode(task.message()));
    out.varint(task.copies().size());
    for (BroadcastTask.Copy copy : task.copies()) {
      out.text(copy.vchannel.name());
      out.u8((copy.appended ? APPENDED : 0) | (copy.acked ? ACKED : 0));
      out.i64(copy.position.value()).i64(copy.tick.value());
    }
    return out.toArray();
  }

  /// Reads what [#encode] wrote under `key`; error 1009 when it is something else, 3000 when a
  /// newer version wrote it. Both name the task.
  static Stored decode(String key, byte[] value) {
    ByteReader in = new ByteReader(value);
    BroadcastId id = new BroadcastId(Long.parseLong(key.substring(PREFIX.length())));
    int version = in.u8();
    if (version > VERSION) {
      throw FormatErrors.newer("broadcast task " + id, version, VERSION);
    }
    if (version != VERSION) {
      throw DbException.described(
          ErrorCode.DATA_INTEGRITY, "broadcast task " + id + " has version " + version);
    }
    BroadcastTask.State state = stateOf(id, in.u8());
    boolean keyed = in.u8() == 1;
    byte[] message = in.blob();
    BroadcastTask task =
        message.length == 0 ? null : new BroadcastTask(state, messageOf(id, message));
    int count = Math.toIntExact(in.varint());
    List<VChannel> targets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      VChannel target = new VChannel(in.text());
      targets.add(target);
      int bits = in.u8();
      MessageId position = new MessageId(in.i64());
      HybridTs tick = new HybridTs(in.i64());
      if (task != null) {
        BroadcastTask.Copy copy = task.copy(target);
        copy.appended = (bits & APPENDED) != 0;
        copy.acked = (bits & ACKED) != 0;
        copy.position = position;
        copy.tick = tick;
      }
    }
    return new Stored(id, state == BroadcastTask.State.TOMBSTONE, keyed, targets, task);
  }

  private static WalMessage messageOf(BroadcastId id, byte[] bytes) {
    try {
      return MessageCodec.decode(bytes);
    } catch (DbException e) {
      throw e.inContext("broadcast task " + id);
    }
  }

  private static BroadcastTask.State stateOf(BroadcastId id, int number) {
    for (BroadcastTask.State state : BroadcastTask.State.values()) {
      if (state.number() == number) {
        return state;
      }
    }
    throw DbException.described(
        ErrorCode.DATA_INTEGRITY, "broadcast task " + id + " has state " + number);
  }
}
