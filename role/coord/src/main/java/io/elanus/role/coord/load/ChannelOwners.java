package io.elanus.role.coord.load;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import org.jspecify.annotations.Nullable;

/// Which StreamingNode serves a PChannel now; null while none does.
///
/// Thread-safe.
@FunctionalInterface
public interface ChannelOwners {
  @Nullable NodeId owner(PChannel pchannel);
}
