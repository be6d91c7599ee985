package io.elanus.sim;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.base.loop.Loop;
import io.elanus.base.random.Rng;
import io.elanus.engine.log.WalBackend;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalOpenOptions;
import io.elanus.engine.log.WalReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// One machine's connection to the log service. Appends are written in the order of the calls, some
/// time later, and answered later again; of those under way when the machine ends, the first few
/// are in the log and the others are not. A write fails now and then and leaves nothing.
///
/// Confined to the thread of the simulation.
final class SimWal implements WalBackend {
  private static final int FAIL_ONE_IN = 400;

  private final WalBackend log;
  private final SimScheduler scheduler;
  private final SimNetwork network;
  private final SimMachine machine;
  private final Rng rng;
  private final Mutation mutation;
  private final Map<PChannel, WalLog> newest;

  /// `newest` holds the writer of each channel that the log service knows.
  SimWal(
      WalBackend log,
      SimScheduler scheduler,
      SimNetwork network,
      SimMachine machine,
      Rng rng,
      Mutation mutation,
      Map<PChannel, WalLog> newest) {
    this.mutation = mutation;
    this.newest = newest;
    this.log = log;
    this.scheduler = scheduler;
    this.network = network;
    this.machine = machine;
    this.rng = rng;
  }

  @Override
  public CompletableFuture<WalLog> open(PChannel pchannel, long term, WalOpenOptions options) {
    CompletableFuture<WalLog> opened = new CompletableFuture<>();
    scheduler.after(
        network.latency(),
        () ->
            log.open(pchannel, term, options)
                .whenComplete((handle, failure) ->
                    later(() -> {
                      if (failure == null) {
                        newest.put(pchannel, handle);
                        opened.complete(new Log(handle));
                      } else {
                        opened.completeExceptionally(failure);
                      }
                    })));
    return opened;
  }

  private void later(Runnable task) {
    scheduler.after(network.latency(), () -> machine.net().execute(task));
  }

  @Override
  public void close() {}

  private final class Log implements WalLog {
    private final WalLog handle;
    private final Loop answers;
    private long lastWriteNanos;
    private long lastAnswerNanos;
    private boolean lostConnection;
    private long predicted = -1;

    Log(WalLog handle) {
      this.handle = handle;
      this.answers = machine.loop("wal/" + handle.pchannel(), Integer.MAX_VALUE);
    }

    @Override
    public PChannel pchannel() {
      return handle.pchannel();
    }

    @Override
    public long term() {
      return handle.term();
    }

    @Override
    public CompletableFuture<List<MessageId>> append(List<ByteBuffer> records) {
      List<ByteBuffer> copies = new ArrayList<>(records.size());
      for (ByteBuffer record : records) {
        ByteBuffer copy = ByteBuffer.allocate(record.remaining());
        copy.put(record.duplicate()).flip();
        copies.add(copy);
      }
      CompletableFuture<List<MessageId>> answer = new CompletableFuture<>();
      if (mutation == Mutation.LOG_ANSWERS_BEFORE_IT_WRITES) {
        answers.execute(() -> answer.complete(predict(copies.size())));
      }
      if (mutation == Mutation.LOG_SWAPS_BATCHES && rng.nextInt(20) == 0) {
        scheduler.after(20_000_000, () -> write(copies, answer));
        return answer;
      }
      lastWriteNanos = Math.max(lastWriteNanos + 1, scheduler.nowNanos() + network.storeLatency());
      scheduler.after(lastWriteNanos - scheduler.nowNanos(), () -> write(copies, answer));
      return answer;
    }

    private List<MessageId> predict(int count) {
      predicted = Math.max(predicted, handle.lastId().value());
      List<MessageId> ids = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        ids.add(new MessageId(++predicted));
      }
      return ids;
    }

    private CompletableFuture<List<MessageId>> store(List<ByteBuffer> records) {
      return switch (mutation) {
        case LOG_DOES_NOT_FENCE -> newest.getOrDefault(pchannel(), handle).append(records);
        case LOG_LOSES_A_BATCH ->
            rng.nextInt(60) == 0
                ? CompletableFuture.completedFuture(predict(records.size()))
                : handle.append(records);
        case LOG_WRITES_TWICE -> {
          if (rng.nextInt(60) == 0) {
            handle.append(records);
          }
          yield handle.append(records);
        }
        default -> handle.append(records);
      };
    }

    private void write(List<ByteBuffer> records, CompletableFuture<List<MessageId>> answer) {
      if (machine.isDead() && mutation == Mutation.LOG_ANSWERS_BEFORE_IT_WRITES) {
        return;
      }
      if (machine.isDead()) {
        // What was sent before the end may still arrive, without gaps.
        lostConnection |= rng.nextInt(3) == 0;
        if (!lostConnection) {
          handle.append(records);
        }
        return;
      }
      CompletableFuture<List<MessageId>> written =
          rng.nextInt(FAIL_ONE_IN) == 0
              ? CompletableFuture.failedFuture(
                  DbException.described(ErrorCode.IO_FAILED, "simulated: write failed"))
              : store(records);
      written.whenComplete((ids, failure) -> {
        lastAnswerNanos = Math.max(lastAnswerNanos + 1, scheduler.nowNanos() + network.latency());
        scheduler.after(
            lastAnswerNanos - scheduler.nowNanos(),
            () ->
                answers.execute(() -> {
                  if (failure == null) {
                    answer.complete(ids);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                }));
      });
    }

    @Override
    public WalReader read(MessageId from) {
      return handle.read(from);
    }

    @Override
    public CompletableFuture<Void> truncate(MessageId before) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      later(() ->
          handle
              .truncate(before)
              .whenComplete((_, failure) -> {
                if (failure == null) {
                  done.complete(null);
                } else {
                  done.completeExceptionally(failure);
                }
              }));
      return done;
    }

    @Override
    public CompletableFuture<MessageId> persistHighWater() {
      return handle.persistHighWater();
    }

    @Override
    public MessageId firstId() {
      return handle.firstId();
    }

    @Override
    public MessageId lastId() {
      return handle.lastId();
    }

    @Override
    public void close() {
      handle.close();
    }
  }
}
