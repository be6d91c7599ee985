package io.elanus.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the rows of one writer must be after a crash: the acknowledged state, and at most one batch
/// whose fate is unknown, which must be there whole or not at all.
final class CrashModel {
  /// Key → version; null means deleted.
  record Batch(Map<Long, @Nullable Long> changes) {}

  private final TreeMap<Long, Long> acknowledged = new TreeMap<>();
  private @Nullable Batch uncertain;

  /// Call before a batch is sent.
  void sending(Batch batch) {
    uncertain = batch;
  }

  /// Call when it was acknowledged.
  void acknowledged() {
    Batch batch = uncertain;
    if (batch != null) {
      apply(batch, acknowledged);
    }
    uncertain = null;
  }

  List<Long> keys() {
    return new ArrayList<>(acknowledged.keySet());
  }

  private static void apply(Batch batch, Map<Long, Long> rows) {
    batch
        .changes()
        .forEach((key, version) -> {
          if (version == null) {
            rows.remove(key);
          } else {
            rows.put(key, version);
          }
        });
  }

  /// Compares with what a server holds and settles the uncertain batch. Answers what is wrong,
  /// empty when all is right.
  String settle(Map<Long, Long> found) {
    if (found.equals(acknowledged)) {
      uncertain = null;
      return "";
    }
    Batch batch = uncertain;
    if (batch != null) {
      Map<Long, Long> with = new TreeMap<>(acknowledged);
      apply(batch, with);
      if (found.equals(with)) {
        acknowledged.clear();
        acknowledged.putAll(with);
        uncertain = null;
        return "";
      }
    }
    return difference(found);
  }

  private String difference(Map<Long, Long> found) {
    Map<Long, Long> missing = new HashMap<>();
    Map<Long, Long> extra = new HashMap<>();
    acknowledged.forEach((key, version) -> {
      if (!version.equals(found.get(key))) {
        missing.put(key, version);
      }
    });
    found.forEach((key, version) -> {
      if (!version.equals(acknowledged.get(key))) {
        extra.put(key, version);
      }
    });
    return "acknowledged but not found: "
        + first(missing)
        + "; found but not acknowledged: "
        + first(extra)
        + "; uncertain batch: "
        + (uncertain == null ? "none" : first(uncertain.changes()));
  }

  private static String first(Map<Long, ? extends @Nullable Long> rows) {
    return rows.size()
        + " rows "
        + new TreeMap<>(rows)
            .toString()
            .transform(s -> s.length() > 300 ? s.substring(0, 300) + "…" : s);
  }
}
