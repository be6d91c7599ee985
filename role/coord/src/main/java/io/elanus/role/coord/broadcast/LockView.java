package io.elanus.role.coord.broadcast;

import java.util.List;

/// A resource key that somebody waits for, for operators: the ids of the requests that hold it and
/// of those that wait, in the order in which they will get it.
///
/// Immutable.
public record LockView(
    String key, boolean heldExclusively, List<String> heldBy, List<String> waitedForBy) {
  public LockView {
    heldBy = List.copyOf(heldBy);
    waitedForBy = List.copyOf(waitedForBy);
  }
}
