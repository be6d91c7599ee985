/// Typed tree to predicate over columns: start at [io.elanus.engine.expr.eval.Compiler]. Evaluation
/// is columnar, in chunks of 4096 rows, with three-valued logic kept as two bit sets.
@NullMarked
package io.elanus.engine.expr.eval;

import org.jspecify.annotations.NullMarked;
