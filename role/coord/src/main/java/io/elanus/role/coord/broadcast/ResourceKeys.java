package io.elanus.role.coord.broadcast;

import io.elanus.wire.message.ResourceKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The key set of a broadcast.
///
/// Thread-safe: stateless.
final class ResourceKeys {
  private ResourceKeys() {}

  /// Sorted by domain and key, each once (exclusive wins), with a shared cluster key unless there
  /// is a key of the cluster domain (rule B-10).
  static List<ResourceKey> normalized(Collection<ResourceKey> keys) {
    List<ResourceKey> sorted = new ArrayList<>(keys);
    if (keys.stream().noneMatch(key -> key.domain() == ResourceKey.Domain.CLUSTER)) {
      sorted.add(ResourceKey.sharedCluster());
    }
    sorted.sort(null); // Of one name the exclusive key comes first.
    List<ResourceKey> unique = new ArrayList<>(sorted.size());
    for (ResourceKey key : sorted) {
      if (unique.isEmpty() || !sameName(unique.getLast(), key)) {
        unique.add(key);
      }
    }
    return List.copyOf(unique);
  }

  static boolean sameName(ResourceKey a, ResourceKey b) {
    return a.domain() == b.domain() && a.key().equals(b.key());
  }

  /// Whether two normalized key sets exclude each other.
  static boolean conflict(List<ResourceKey> a, List<ResourceKey> b) {
    for (ResourceKey left : a) {
      for (ResourceKey right : b) {
        if (sameName(left, right) && !(left.shared() && right.shared())) {
          return true;
        }
      }
    }
    return false;
  }
}
