/// Whole servers under unmodified clients: SDK and REST calls, crashes, damage, embedding.
@NullMarked
package io.elanus.it;

import org.jspecify.annotations.NullMarked;
