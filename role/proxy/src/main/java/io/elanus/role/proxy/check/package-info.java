/// Rules that requests must keep before any work is done for them: names, schemas, rows, limits
///
@NullMarked
package io.elanus.role.proxy.check;

import org.jspecify.annotations.NullMarked;
