/// Little-endian byte writers and readers used by every format of our own.
@NullMarked
package io.elanus.base.bytes;

import org.jspecify.annotations.NullMarked;
