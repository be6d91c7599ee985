/// What joins the processes of a cluster: who is alive, who leads, who owns which channel. All of
/// it stands in the metadata store and is followed by watches; nothing here knows the network.
@NullMarked
package io.elanus.server.cluster;

import org.jspecify.annotations.NullMarked;
