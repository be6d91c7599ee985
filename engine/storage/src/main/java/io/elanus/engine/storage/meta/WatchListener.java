package io.elanus.engine.storage.meta;

import java.util.List;

/// Receives changes in order of revision. Called on the executor given with the watch, one call at
/// a time.
public interface WatchListener {
  /// Changes in order of revision and key; those of one transaction are never split.
  void onEvents(List<WatchEvent> events);

  /// Events were lost (the listener fell too far behind, or the connection broke): nothing more
  /// will be delivered; the caller has to watch and read anew.
  void onLost(Throwable why);
}
