package io.elanus.role.coord.segments;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.time.Timers;
import io.elanus.engine.storage.object.ObjectStat;
import io.elanus.engine.storage.object.ObjectStore;
import io.elanus.role.coord.part.CatalogView;
import io.elanus.wire.meta.DeltaLogMeta;
import io.elanus.wire.meta.SegmentIndexMeta;
import io.elanus.wire.meta.SegmentMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes what nothing needs any more: files of dropped segments, collections and indexes after a
/// tolerance, delta logs whose deletes are applied or can't hit anything, and objects that no
/// catalog entry has named for a long time.
///
/// A delta log goes when (a) no segment that is not dropped has rows that it may delete and that
/// its own files still hold, and (b) the shard's checkpoint has passed it: rows older than that
/// delete which are still in the log would need it once they are stored.
///
/// A dropped segment's record outlives its files until the checkpoint has passed its rows: whoever
/// replays the log from the checkpoint has to know that those rows are not growing data. It also
/// outlives the records of the segments that it replaced, which lead to their rows through it.
///
/// Owned by: the coordinator's data loop.
final class GarbageCollector {
  private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);
  private static final Duration RETRY = Duration.ofSeconds(30);
  private static final int MAX_REMOVED = 10_000;

  private final LoopWork work;
  private final CatalogView catalog;
  private final SegmentCatalog segments;
  private final ObjectStore objects;
  private final SegmentsConfig.Garbage config;
  private final SegmentUse use;

  /// Segments being removed, and those whose files are gone.
  private final TreeSet<SegmentId> waiting = new TreeSet<>();

  private final TreeSet<SegmentId> filesGone = new TreeSet<>();
  private final TreeSet<CollectionId> dropping = new TreeSet<>();

  /// Folders and objects without a catalog entry, and when that was first seen.
  private final TreeMap<String, Long> orphans = new TreeMap<>();

  private final TreeSet<String> removed = new TreeSet<>();
  private Timers.@Nullable Cancellable scanTimer;
  private boolean closed;

  GarbageCollector(
      IndexScheduler.Parts parts,
      ObjectStore objects,
      SegmentsConfig.Garbage config,
      SegmentUse use) {
    this.work = parts.work();
    this.catalog = parts.catalog();
    this.segments = parts.segments();
    this.objects = objects;
    this.config = config;
    this.use = use;
  }

  void start() {
    for (CollectionSegments state : List.copyOf(segments.all())) {
      if (catalog.collection(state.id()) == null) {
        collectionDropped(state.id());
      } else {
        review(state.id());
      }
    }
    scheduleScan();
  }

  void close() {
    closed = true;
    if (scanTimer != null) {
      scanTimer.cancel();
    }
  }

  /// True when the files under `path` were removed as nobody's: a late report about them can't be
  /// believed.
  boolean wasRemoved(String path) {
    return removed.contains(ObjectPaths.folder(path));
  }

  /// True from the drop of the collection on.
  boolean isDropping(CollectionId collection) {
    return dropping.contains(collection);
  }

  /// Removes the objects under `path` after the tolerance.
  void discard(String path) {
    work.after(config.dropTolerance(), () -> deleteLater(path));
  }

  private void deleteLater(String path) {
    if (!closed) {
      delete(List.of(ObjectPaths.folder(path)), List.of(path), () -> {});
    }
  }

  private void delete(List<String> prefixes, List<String> keys, Runnable done) {
    work.block(
        () -> {
          int count = 0;
          for (String prefix : prefixes) {
            count += objects.deleteAll(prefix);
          }
          for (String key : keys) {
            count += objects.delete(key) ? 1 : 0;
          }
          return count;
        },
        outcome -> {
          switch (outcome) {
            case Outcome.Done<Integer> _ -> done.run();
            case Outcome.Failed<Integer>(var error) -> {
              LOG.atWarn()
                  .addKeyValue("prefixes", prefixes)
                  .addKeyValue("reason", error.getMessage())
                  .log("objects can't be removed, will try again");
              if (!closed) {
                work.after(RETRY, () -> delete(prefixes, keys, done));
              }
            }
          }
        });
  }

  /// Looks for dropped segments and needless delta logs of a collection.
  void review(CollectionId id) {
    if (closed || dropping.contains(id)) {
      return;
    }
    CollectionSegments state = segments.of(id);
    for (SegmentRecord record : List.copyOf(state.records())) {
      if (!record.isDropped()) {
        continue;
      }
      if (filesGone.contains(record.id())) {
        forget(id, record.id());
      } else if (waiting.add(record.id())) {
        work.after(config.dropTolerance(), () -> removeFiles(id, record.id()));
      }
    }
    for (DeltaLogMeta delta : List.copyOf(state.deltas())) {
      if (isNeedless(state, delta)) {
        remove(id, delta);
      }
    }
  }

  private void removeFiles(CollectionId collection, SegmentId segment) {
    SegmentRecord record = segments.of(collection).record(segment);
    if (closed || record == null) {
      waiting.remove(segment);
      return;
    }
    SegmentMeta meta = record.meta();
    if (use.isUsed(collection, meta.place().vchannel(), segment)) {
      work.after(config.dropTolerance(), () -> removeFiles(collection, segment));
      return;
    }
    delete(
        List.of(ObjectPaths.folder(meta.path()), ObjectPaths.indexes(collection, segment)),
        List.of(),
        () -> {
          waiting.remove(segment);
          filesGone.add(segment);
          forget(collection, segment);
        });
  }

  /// Removes the record once the checkpoint has passed its rows.
  private void forget(CollectionId collection, SegmentId segment) {
    work.then(
        segments.change(
            collection,
            (state, change) -> {
              SegmentRecord record = state.record(segment);
              if (record == null) {
                return true;
              }
              SegmentMeta meta = record.meta();
              if (!state.storedTo(meta.place().vchannel()).isAtLeast(meta.stats().maxTs())) {
                return false;
              }
              if (state.records().stream().anyMatch(r -> r.replacedBy().equals(segment))) {
                return false;
              }
              change.remove(segment);
              return true;
            }),
        outcome -> {
          if (outcome instanceof Outcome.Done<Boolean>(var gone)
              && gone
              && filesGone.remove(segment)) {
            review(collection); // Its successor may have waited for this.
          }
        });
  }

  private static boolean isNeedless(CollectionSegments state, DeltaLogMeta delta) {
    if (!state.storedTo(delta.vchannel()).isAtLeast(delta.maxTs())) {
      return false;
    }
    for (SegmentRecord record : state.records()) {
      if (!record.isDropped() && CollectionSegments.concerns(delta, record.meta())) {
        return false;
      }
    }
    return true;
  }

  private void remove(CollectionId collection, DeltaLogMeta delta) {
    work.then(
        segments.change(
            collection,
            (state, change) -> {
              if (state.delta(delta.id()) == null || !isNeedless(state, delta)) {
                return false;
              }
              change.removeDelta(delta.id());
              return true;
            }),
        outcome -> {
          if (outcome instanceof Outcome.Done<Boolean>(var gone) && gone) {
            discard(delta.path());
          }
        });
  }

  /// Removes everything of a collection after the tolerance.
  void collectionDropped(CollectionId id) {
    if (!closed && dropping.add(id)) {
      work.after(config.dropTolerance(), () -> removeCollection(id));
    }
  }

  private void removeCollection(CollectionId id) {
    if (closed) {
      return;
    }
    if (catalog.collection(id) != null) {
      dropping.remove(id); // It was not dropped but not made yet when its first state was found.
      return;
    }
    for (SegmentRecord record : segments.of(id).records()) {
      if (use.isUsed(id, record.meta().place().vchannel(), record.id())) {
        work.after(config.dropTolerance(), () -> removeCollection(id));
        return;
      }
    }
    delete(
        List.of(
            ObjectPaths.SEGMENTS + id + "/",
            ObjectPaths.INDEXES + id + "/",
            ObjectPaths.DELTAS + id + "/"),
        List.of(),
        () ->
            work.then(
                segments.change(id, (_, change) -> change.removeAll() != null),
                outcome -> {
                  if (outcome instanceof Outcome.Done<Boolean>) {
                    LOG.atInfo().addKeyValue("collection", id).log("dropped collection removed");
                  } else if (!closed) {
                    work.after(RETRY, () -> removeCollection(id));
                  }
                }));
  }

  private void scheduleScan() {
    if (!closed) {
      scanTimer = work.after(config.interval(), this::scan);
    }
  }

  private void scan() {
    work.block(
        () -> {
          TreeSet<String> found = new TreeSet<>();
          for (ObjectStat stat : objects.list(ObjectPaths.SEGMENTS)) {
            found.add(folderOf(stat.key(), 4));
          }
          for (ObjectStat stat : objects.list(ObjectPaths.INDEXES)) {
            found.add(folderOf(stat.key(), 4));
          }
          for (ObjectStat stat : objects.list(ObjectPaths.DELTAS)) {
            found.add(folderOf(stat.key(), 4));
          }
          return found;
        },
        outcome -> {
          // Compared with the catalog after the listing: what was stored meanwhile is named by now.
          if (outcome instanceof Outcome.Done<TreeSet<String>>(var found)) {
            judge(found);
          }
          scheduleScan();
        });
  }

  /// The first `names` names of a key, with a slash at the end.
  private static String folderOf(String key, int names) {
    int at = -1;
    for (int i = 0; i < names; i++) {
      int next = key.indexOf('/', at + 1);
      if (next < 0) {
        return key + "/";
      }
      at = next;
    }
    return key.substring(0, at + 1);
  }

  private void judge(Set<String> found) {
    Set<String> named = named();
    long now = work.nanoTime();
    orphans.keySet().retainAll(found);
    List<String> due = new ArrayList<>();
    for (String folder : found) {
      if (named.contains(folder)) {
        orphans.remove(folder);
        continue;
      }
      Long since = orphans.putIfAbsent(folder, now);
      if (since != null && now - since >= config.missingTolerance().toNanos()) {
        due.add(folder);
      }
    }
    for (String folder : due) {
      LOG.atInfo().addKeyValue("path", folder).log("removing objects that nothing names");
      orphans.remove(folder);
      if (removed.size() >= MAX_REMOVED) {
        removed.pollFirst();
      }
      removed.add(folder);
      delete(List.of(folder), List.of(folder.substring(0, folder.length() - 1)), () -> {});
    }
  }

  private Set<String> named() {
    TreeSet<String> named = new TreeSet<>();
    for (CollectionSegments state : segments.all()) {
      for (SegmentRecord record : state.records()) {
        named.add(ObjectPaths.folder(record.meta().path()));
        for (SegmentIndexMeta index : record.meta().indexes()) {
          named.add(folderOf(index.path(), 4));
        }
      }
      for (DeltaLogMeta delta : state.deltas()) {
        named.add(folderOf(delta.path(), 4));
      }
    }
    return named;
  }
}
