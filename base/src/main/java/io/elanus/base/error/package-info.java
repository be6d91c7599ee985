/// Error codes with their documented numbers, the one exception type, invariants and fault
/// reporting.
@NullMarked
package io.elanus.base.error;

import org.jspecify.annotations.NullMarked;
