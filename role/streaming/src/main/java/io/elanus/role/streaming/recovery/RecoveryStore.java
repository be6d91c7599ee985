package io.elanus.role.streaming.recovery;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.engine.storage.meta.KeyRange;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RangeResult;
import io.elanus.engine.storage.meta.Txn;
import io.elanus.role.streaming.shard.ChannelState;
import io.elanus.wire.codec.WireJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Checkpoints of one PChannel in the MetaStore, written only while this term is the owner there:
///
/// | key | value |
/// | --- | --- |
/// | `streaming/<pchannel>/owner` | the term, decimal |
/// | `streaming/<pchannel>/state` | [ChannelState.Snapshot], JSON |
/// | `streaming/<pchannel>/flush/<vchannel>` | [FlushPoint], JSON |
///
/// Thread-safe: immutable, the store is.
public final class RecoveryStore {
  private static final int CLAIM_ATTEMPTS = 8;

  private final MetaStore meta;
  private final PChannel pchannel;
  private final long term;
  private final String prefix;
  private final byte[] owner;

  public RecoveryStore(MetaStore meta, PChannel pchannel, long term) {
    this.meta = meta;
    this.pchannel = pchannel;
    this.term = term;
    this.prefix = "streaming/" + pchannel.name() + "/";
    this.owner = Long.toString(term).getBytes(StandardCharsets.UTF_8);
  }

  /// What was stored.
  public record Stored(ChannelState.Snapshot state, SortedMap<VChannel, FlushPoint> flushPoints) {}

  /// Becomes the owner (error 503 when a higher term is), then reads what the owners before left.
  public CompletableFuture<Stored> claim() {
    return claim(CLAIM_ATTEMPTS)
        .thenCompose(_ -> meta.range(KeyRange.prefix(prefix)))
        .thenApply(this::decode);
  }

  private CompletableFuture<Boolean> claim(int attempts) {
    String key = prefix + "owner";
    return meta.get(key)
        .thenCompose(found -> {
          Txn.Builder txn = Txn.builder();
          if (found.isPresent()) {
            KeyValue entry = found.get();
            long stored = Long.parseLong(new String(entry.value(), StandardCharsets.UTF_8));
            if (stored > term) {
              throw lost("term " + stored + " owns it");
            }
            if (stored == term) {
              return CompletableFuture.completedFuture(true);
            }
            txn.ifModRevision(key, entry.modRevision());
          } else {
            txn.ifAbsent(key);
          }
          return meta.txn(txn.put(key, owner).build())
              .thenCompose(result -> {
                if (result.succeeded()) {
                  return CompletableFuture.completedFuture(true);
                }
                if (attempts == 0) {
                  throw lost("its owner keeps changing");
                }
                return claim(attempts - 1);
              });
        });
  }

  private Stored decode(RangeResult range) {
    ChannelState.Snapshot state = ChannelState.Snapshot.EMPTY;
    SortedMap<VChannel, FlushPoint> points = new TreeMap<>();
    for (KeyValue entry : range.entries()) {
      String name = entry.key().substring(prefix.length());
      if (name.equals("state")) {
        state = WireJson.read(entry.value(), ChannelState.Snapshot.class);
      } else if (name.startsWith("flush/")) {
        FlushPoint point = WireJson.read(entry.value(), FlushPoint.class);
        points.put(point.vchannel(), point);
      }
    }
    return new Stored(state, points);
  }

  /// Stores the sequencer's state. Error 503 when this term is not the owner any more.
  public CompletableFuture<Void> saveState(ChannelState.Snapshot state) {
    return write(Txn.builder().put(prefix + "state", WireJson.write(state)));
  }

  /// Stores flush points and removes those of dropped VChannels. Error 503 as above.
  public CompletableFuture<Void> saveFlushPoints(List<FlushPoint> points, List<VChannel> dropped) {
    Txn.Builder txn = Txn.builder();
    for (FlushPoint point : points) {
      txn.put(prefix + "flush/" + point.vchannel().name(), WireJson.write(point));
    }
    for (VChannel vchannel : dropped) {
      txn.delete(prefix + "flush/" + vchannel.name());
    }
    return txn.isEmpty() ? CompletableFuture.completedFuture(null) : write(txn);
  }

  private CompletableFuture<Void> write(Txn.Builder txn) {
    return meta.txn(txn.ifValue(prefix + "owner", owner).build())
        .thenAccept(result -> {
          if (!result.succeeded()) {
            throw lost("another term owns it");
          }
        });
  }

  private DbException lost(String why) {
    return DbException.described(
        ErrorCode.CHANNEL_NOT_AVAILABLE, pchannel + " at term " + term + ": " + why);
  }
}
