/// Sealed segments of a QueryNode: start at [io.elanus.role.query.load.QueryNode].
@NullMarked
package io.elanus.role.query.load;

import org.jspecify.annotations.NullMarked;
