/// The command line: `bin/elanus`. Reading order: [Main], [StandaloneCommand].
@NullMarked
package io.elanus.dist;

import org.jspecify.annotations.NullMarked;
