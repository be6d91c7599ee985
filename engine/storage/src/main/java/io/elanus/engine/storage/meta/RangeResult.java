package io.elanus.engine.storage.meta;

import java.util.List;

/// Keys in order, read at one `revision` of the store; `more` tells that the limit cut the list.
///
/// Immutable.
public record RangeResult(List<KeyValue> entries, long revision, boolean more) {
  public RangeResult {
    entries = List.copyOf(entries);
  }
}
