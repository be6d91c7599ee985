/// The typed tree of a filter and what can be asked of it without data: start at
/// [io.elanus.engine.expr.tree.Expr], then [io.elanus.engine.expr.tree.Analysis].
@NullMarked
package io.elanus.engine.expr.tree;

import org.jspecify.annotations.NullMarked;
