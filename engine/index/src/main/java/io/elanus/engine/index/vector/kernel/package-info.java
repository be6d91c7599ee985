/// Distance kernels over float32 rows in native memory: a SIMD form and its plain twin behind
/// [io.elanus.engine.index.vector.kernel.VectorKernels].
@NullMarked
package io.elanus.engine.index.vector.kernel;

import org.jspecify.annotations.NullMarked;
