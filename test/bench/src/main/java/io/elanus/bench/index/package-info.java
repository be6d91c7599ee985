/// Benchmarks of the vector indexes beside a peer in the same run.
@NullMarked
package io.elanus.bench.index;

import org.jspecify.annotations.NullMarked;
