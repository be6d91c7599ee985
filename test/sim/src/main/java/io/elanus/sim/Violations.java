package io.elanus.sim;

import java.util.ArrayList;
import java.util.List;

/// What went against the rules. The first one counts; later ones may follow from it.
///
/// Confined to the thread of the simulation.
final class Violations {
  private static final int KEPT = 10;

  private final List<String> found = new ArrayList<>();

  void report(String what) {
    if (found.size() < KEPT) {
      found.add(what);
    }
  }

  /// A component failed: a bug by definition, whatever faults were injected.
  void fault(String component, Throwable thrown) {
    StringBuilder text = new StringBuilder(component).append(" failed: ").append(thrown);
    StackTraceElement[] stack = thrown.getStackTrace();
    for (int i = 0; i < Math.min(6, stack.length); i++) {
      text.append("\n    at ").append(stack[i]);
    }
    report(text.toString());
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<String> all() {
    return List.copyOf(found);
  }
}
