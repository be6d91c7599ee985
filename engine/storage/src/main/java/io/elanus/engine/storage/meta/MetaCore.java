package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Evaluates queued operations in order, writes them as one group, publishes the events, answers.
/// Shared by the engines that live inside the process.
///
/// Confined to the caller: one commit at a time.
final class MetaCore {
  /// A queued mutation with the future that answers its caller.
  sealed interface Op {
    CompletableFuture<TxnResult> future();
  }

  record TxnOp(Txn txn, CompletableFuture<TxnResult> future) implements Op {}

  record RevokeOp(LeaseId lease, CompletableFuture<TxnResult> future) implements Op {}

  private final Backing backing;
  private final LeaseTable leases;
  private final WatchHub watches;
  private volatile long revision;
  private volatile @Nullable DbException broken;

  MetaCore(Backing backing, LeaseTable leases, WatchHub watches, long revision) {
    this.backing = backing;
    this.leases = leases;
    this.watches = watches;
    this.revision = revision;
  }

  /// Revision of the last durable change.
  long revision() {
    return revision;
  }

  /// Applies `ops` with one durable write. Answers what completes their futures, to be run when no
  /// lock is held; events have been handed to the watches by then.
  List<Runnable> commit(List<Op> ops) {
    List<Runnable> answers = new ArrayList<>(ops.size());
    DbException stopped = broken;
    if (stopped != null) {
      ops.forEach(op -> answers.add(() -> op.future().completeExceptionally(stopped)));
      return answers;
    }
    Overlay overlay = new Overlay(backing, leases, revision);
    try {
      for (Op op : ops) {
        answers.add(apply(overlay, op));
      }
      if (!overlay.changes().isEmpty()) {
        backing.write(overlay.changes(), overlay.revision());
      }
    } catch (RuntimeException e) {
      return stop(ops, e);
    }
    revision = overlay.revision();
    watches.publish(overlay.events(), overlay.revision());
    return answers;
  }

  private static Runnable apply(Overlay overlay, Op op) {
    try {
      TxnResult result =
          switch (op) {
            case TxnOp txn -> overlay.apply(txn.txn());
            case RevokeOp revoke -> overlay.revoke(revoke.lease());
          };
      return () -> op.future().complete(result);
    } catch (DbException e) {
      if (e.code() != ErrorCode.IO_KEY_NOT_FOUND) {
        throw e; // The store itself failed: nothing of the group may be written.
      }
      return () -> op.future().completeExceptionally(e);
    }
  }

  /// After a failed write nobody knows what the disk holds, so nothing more is accepted: an answer
  /// based on the old state could contradict what the next open finds.
  private List<Runnable> stop(List<Op> ops, RuntimeException cause) {
    DbException failure =
        DbException.described(
                ErrorCode.IO_FAILED,
                "metadata store stopped after a failed write ("
                    + cause.getMessage()
                    + "); make room or repair the disk, then restart")
            .causedBy(cause);
    broken = failure;
    List<Runnable> answers = new ArrayList<>(ops.size());
    ops.forEach(op -> answers.add(() -> op.future().completeExceptionally(failure)));
    return answers;
  }
}
