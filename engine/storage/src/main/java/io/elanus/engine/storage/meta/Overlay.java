package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The state that one commit group builds up: the stored entries with the changes of the group's
/// earlier transactions on top, so that each transaction's compares see those before it.
///
/// Confined to the caller.
final class Overlay {
  /// The new state of a key; `entry` is null when the key is deleted.
  record Change(@Nullable KeyValue entry) {}

  private final Backing base;
  private final LeaseTable leases;
  private final TreeMap<String, Change> changes = new TreeMap<>(Keys::compare);
  private final List<WatchEvent> events = new ArrayList<>();
  private long revision;

  Overlay(Backing base, LeaseTable leases, long revision) {
    this.base = base;
    this.leases = leases;
    this.revision = revision;
  }

  long revision() {
    return revision;
  }

  SortedMap<String, Change> changes() {
    return changes;
  }

  List<WatchEvent> events() {
    return events;
  }

  @Nullable KeyValue get(String key) {
    Change change = changes.get(key);
    return change == null ? base.get(key) : change.entry();
  }

  /// Applies `txn` or nothing of it; throws when it names a lease that has ended.
  TxnResult apply(Txn txn) {
    for (Compare compare : txn.compares()) {
      if (!holds(compare)) {
        return new TxnResult(false, revision);
      }
    }
    for (Put put : txn.puts()) {
      if (!leases.isAlive(put.lease())) {
        throw LeaseTable.notFound(put.lease());
      }
    }
    TreeSet<String> gone = new TreeSet<>(Keys::compare);
    for (Delete delete : txn.deletes()) {
      addExisting(delete.range(), gone);
    }
    if (gone.isEmpty() && txn.puts().isEmpty()) {
      return new TxnResult(true, revision);
    }
    revision++;
    gone.forEach(this::delete);
    List<Put> puts = new ArrayList<>(txn.puts());
    puts.sort((a, b) -> Keys.compare(a.key(), b.key()));
    puts.forEach(this::put);
    return new TxnResult(true, revision);
  }

  /// Deletes the keys attached to `lease` and ends it.
  TxnResult revoke(LeaseId lease) {
    List<String> keys = leases.end(lease);
    if (!keys.isEmpty()) {
      revision++;
      keys.forEach(this::delete);
    }
    return new TxnResult(true, revision);
  }

  private boolean holds(Compare compare) {
    KeyValue entry = get(compare.key());
    return switch (compare) {
      case Compare.Absent _ -> entry == null;
      case Compare.Exists _ -> entry != null;
      case Compare.ModRevision c -> entry != null && entry.modRevision() == c.revision();
      case Compare.CreateRevision c -> entry != null && entry.createRevision() == c.revision();
      case Compare.Value c -> entry != null && Arrays.equals(entry.value(), c.value());
    };
  }

  private void addExisting(KeyRange range, Set<String> keys) {
    for (KeyValue entry : base.range(range, Integer.MAX_VALUE)) {
      keys.add(entry.key());
    }
    SortedMap<String, Change> changed =
        range.to() == null
            ? changes.tailMap(range.from())
            : changes.subMap(range.from(), range.to());
    changed.forEach((key, change) -> {
      if (change.entry() == null) {
        keys.remove(key);
      } else {
        keys.add(key);
      }
    });
  }

  private void put(Put put) {
    KeyValue before = get(put.key());
    long created = before == null ? revision : before.createRevision();
    KeyValue entry = new KeyValue(put.key(), put.value(), created, revision, put.lease());
    if (before != null) {
      leases.detach(before.lease(), put.key());
    }
    leases.attach(put.lease(), put.key());
    changes.put(put.key(), new Change(entry));
    events.add(new WatchEvent.Updated(entry));
  }

  private void delete(String key) {
    KeyValue before = get(key);
    if (before == null) {
      throw DbException.described(ErrorCode.SERVICE_INTERNAL, "delete of missing key " + key);
    }
    leases.detach(before.lease(), key);
    changes.put(key, new Change(null));
    events.add(new WatchEvent.Deleted(key, revision));
  }
}
