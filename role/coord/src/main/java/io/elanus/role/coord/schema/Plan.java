package io.elanus.role.coord.schema;

import io.elanus.role.coord.broadcast.BroadcastMessage;
import java.util.function.LongFunction;

/// What the check of a DDL under its locks came to.
///
/// Immutable.
sealed interface Plan {
  Nothing NOTHING = new Nothing();

  /// The catalog is as asked for: success without a broadcast.
  record Nothing() implements Plan {}

  /// A broadcast. `message` gets the first of `ids` new ids, which follow one another; `ended` runs
  /// once the broadcast has ended, well or not.
  record Change(int ids, LongFunction<BroadcastMessage> message, Runnable ended) implements Plan {}

  static Change change(BroadcastMessage message) {
    return new Change(0, _ -> message, () -> {});
  }

  static Change change(int ids, LongFunction<BroadcastMessage> message) {
    return new Change(ids, message, () -> {});
  }
}
