/// Bytes of meta values, DDL bodies and internal calls.
@NullMarked
package io.elanus.wire.codec;

import org.jspecify.annotations.NullMarked;
