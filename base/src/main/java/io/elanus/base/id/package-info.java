/// Typed identifiers. A bare `long` never stands for an id outside loops and arrays.
@NullMarked
package io.elanus.base.id;

import org.jspecify.annotations.NullMarked;
