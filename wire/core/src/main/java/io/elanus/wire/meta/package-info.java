/// Values that describe catalog objects: carried by messages, stored in the catalog, answered by
/// services.
@NullMarked
package io.elanus.wire.meta;

import org.jspecify.annotations.NullMarked;
