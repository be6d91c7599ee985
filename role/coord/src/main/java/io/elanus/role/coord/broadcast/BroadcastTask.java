package io.elanus.role.coord.broadcast;

import io.elanus.base.error.Invariant;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.BroadcastHeader;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.message.WalMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// One broadcast on its way. `message` is the control channel's copy, with the broadcast header
/// that every copy carries.
///
/// | from | to | when |
/// | --- | --- | --- |
/// | PENDING | TOMBSTONE | the callback's change and this state are durable |
/// | REPLICATED | TOMBSTONE | the same, for a broadcast of the primary cluster |
/// | TOMBSTONE | DONE | removed from the catalog |
///
/// Owned by: the broadcaster's loop.
final class BroadcastTask {
  /// Stored numbers never change their meaning.
  enum State {
    /// Persisted by this cluster; holds its keys.
    PENDING(1),
    /// Rebuilt from a replicated message; holds no keys.
    REPLICATED(2),
    /// Its callback ended; kept for idempotent retries.
    TOMBSTONE(3),
    /// Removed.
    DONE(4);

    private final int number;

    State(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    private boolean leadsTo(State next) {
      return switch (this) {
        case PENDING, REPLICATED -> next == TOMBSTONE;
        case TOMBSTONE -> next == DONE;
        case DONE -> false;
      };
    }
  }

  /// One target's copy. `position` is [MessageId#NONE] and `tick` zero until known.
  static final class Copy {
    final VChannel vchannel;
    MessageId position = MessageId.NONE;
    HybridTs tick = HybridTs.ZERO;
    boolean appended;
    boolean acked;

    Copy(VChannel vchannel) {
      this.vchannel = vchannel;
    }
  }

  private final WalMessage message;
  private final BroadcastHeader header;
  private final List<Copy> copies;
  private State state;

  /// When this coordinator began with it, by the monotonic clock.
  long sinceNanos;

  /// Lock-phase keys; null for replicated tasks.
  KeyTable.@Nullable Request guard;

  /// Held from the start of its callback to the end.
  KeyTable.@Nullable Request callbackKeys;

  final CompletableFuture<BroadcastResult> done = new CompletableFuture<>();
  int appendAttempts;
  int callbackAttempts;
  boolean queuedForCallback;
  @Nullable Throwable lastError;

  BroadcastTask(State state, WalMessage message) {
    this.state = state;
    this.message = message;
    BroadcastHeader broadcast = message.header().broadcast();
    if (broadcast == null) {
      throw new IllegalArgumentException("a broadcast without a header");
    }
    this.header = broadcast;
    this.copies = new ArrayList<>(broadcast.targets().size());
    broadcast.targets().forEach(target -> copies.add(new Copy(target)));
  }

  BroadcastId id() {
    return header.id();
  }

  MessageType type() {
    return message.type();
  }

  BroadcastHeader header() {
    return header;
  }

  WalMessage message() {
    return message;
  }

  State state() {
    return state;
  }

  /// The only way to change the state.
  void moveTo(State next) {
    Invariant.check(state.leadsTo(next), "broadcast %s can't go from %s to %s", id(), state, next);
    state = next;
  }

  List<Copy> copies() {
    return copies;
  }

  Copy copy(VChannel vchannel) {
    for (Copy copy : copies) {
      if (copy.vchannel.equals(vchannel)) {
        return copy;
      }
    }
    throw new IllegalArgumentException("broadcast " + id() + " does not target " + vchannel);
  }

  /// What is appended to `target`.
  WalMessage copyFor(VChannel target) {
    return message.withHeader(message.header().on(target));
  }

  boolean isKeyed() {
    return message.header().properties().containsKey(MessageHeader.IDEMPOTENCY_KEY);
  }

  boolean isAppended() {
    return copies.stream().allMatch(copy -> copy.appended);
  }

  boolean isAcked() {
    return copies.stream().allMatch(copy -> copy.acked);
  }

  Copy controlCopy() {
    for (Copy copy : copies) {
      if (copy.vchannel.isControlChannel()) {
        return copy;
      }
    }
    throw new IllegalStateException("broadcast " + id() + " has no control channel");
  }

  List<Acked.Copy> places() {
    List<Acked.Copy> places = new ArrayList<>(copies.size());
    copies.forEach(copy -> places.add(new Acked.Copy(copy.vchannel, copy.position, copy.tick)));
    return places;
  }

  Acked acked() {
    return new Acked(id(), body(), places());
  }

  Message body() {
    return message.body();
  }
}
