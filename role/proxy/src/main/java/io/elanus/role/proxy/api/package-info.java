/// The front door in domain terms: what the gRPC and the REST edge call. Protobuf and JSON stop at
/// the edges.
@NullMarked
package io.elanus.role.proxy.api;

import org.jspecify.annotations.NullMarked;
