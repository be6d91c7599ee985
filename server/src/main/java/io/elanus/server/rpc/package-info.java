/// Ports and links: gRPC and REST on one port, plain HTTP for management, and the internal services
/// over gRPC. Reading order: [PortServer], [SniffingNegotiator], [HttpConnection], [HttpPort].
@NullMarked
package io.elanus.server.rpc;

import org.jspecify.annotations.NullMarked;
