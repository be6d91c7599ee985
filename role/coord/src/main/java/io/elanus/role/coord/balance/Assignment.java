package io.elanus.role.coord.balance;

import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;

/// Which StreamingNode was given a PChannel, and under which term; stored as JSON at [#PREFIX] and
/// the channel's name before the node hears of it.
///
/// Immutable.
public record Assignment(PChannel pchannel, NodeId node, long term) {
  public static final String PREFIX = "balance/channel/";
}
