/// HTTP calls without a server library: what the REST edge and the management port answer, and what
/// `server.rpc` feeds them.
@NullMarked
package io.elanus.wire.http;

import org.jspecify.annotations.NullMarked;
