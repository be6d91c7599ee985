/// Filters and output fields of a request, resolved against a schema once.
@NullMarked
package io.elanus.role.proxy.plan;

import org.jspecify.annotations.NullMarked;
