/// Seeds and mutations.
@NullMarked
package io.elanus.sim;

import org.jspecify.annotations.NullMarked;
