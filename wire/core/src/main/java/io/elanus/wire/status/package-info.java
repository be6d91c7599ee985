/// ErrorCode to wire status and back, in this one place.
@NullMarked
package io.elanus.wire.status;

import org.jspecify.annotations.NullMarked;
