package io.elanus.engine.storage.meta;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// What a [MetaCore] keeps its entries in.
interface Backing {
  @Nullable KeyValue get(String key);

  /// Entries of `range` in key order, at most `limit`.
  List<KeyValue> range(KeyRange range, int limit);

  /// Makes all changes and the revision durable, at once or not at all.
  void write(SortedMap<String, Overlay.Change> changes, long revision);
}
