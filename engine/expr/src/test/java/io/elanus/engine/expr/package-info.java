/// Tests of the expression engine as a whole.
@NullMarked
package io.elanus.engine.expr;

import org.jspecify.annotations.NullMarked;
