/// The interfaces through which roles call each other. Roles never import one another; `server`
/// joins them, in process or over gRPC. Every method takes a [CallContext] and one record and
/// answers a future that fails with a [io.elanus.base.error.DbException] only.
@NullMarked
package io.elanus.wire.service;

import org.jspecify.annotations.NullMarked;
