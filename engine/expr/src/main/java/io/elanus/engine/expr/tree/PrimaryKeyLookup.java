package io.elanus.engine.expr.tree;

import io.elanus.base.column.PrimaryKeys;
import org.jspecify.annotations.Nullable;

/// The keys a filter restricts rows to, and what else it asks of them: null when the keys say it
/// all.
///
/// Immutable.
public record PrimaryKeyLookup(PrimaryKeys keys, @Nullable Expr remainder) {
  /// Whether the filter is nothing but these keys.
  public boolean isWhole() {
    return remainder == null;
  }
}
