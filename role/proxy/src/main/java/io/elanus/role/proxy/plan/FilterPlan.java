package io.elanus.role.proxy.plan;

import io.elanus.engine.expr.tree.Analysis;
import io.elanus.engine.expr.tree.Expr;

/// A checked filter: its tree, and the text that shards are sent (templates filled in; empty when
/// every row passes).
///
/// Immutable.
public record FilterPlan(Expr expr, String text) {
  static final FilterPlan ALL = new FilterPlan(Expr.TRUE, "");

  public boolean isAlwaysTrue() {
    return Analysis.isAlwaysTrue(expr);
  }
}
