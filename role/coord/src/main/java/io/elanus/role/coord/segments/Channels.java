package io.elanus.role.coord.segments;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.DataCoordService.ChannelCheckpoint;
import java.util.List;

/// What a VChannel's name says.
///
/// Thread-safe: stateless.
final class Channels {
  private Channels() {}

  /// The collection of `<pchannel>_<collection>v<shard>`; error 500 for other names.
  static CollectionId collectionOf(VChannel vchannel) {
    String name = vchannel.name();
    int from = name.lastIndexOf('_') + 1;
    int to = name.indexOf('v', from);
    if (to > from) {
      try {
        return new CollectionId(Long.parseLong(name.substring(from, to)));
      } catch (NumberFormatException e) {
        throw notFound(vchannel).causedBy(e);
      }
    }
    throw notFound(vchannel);
  }

  private static DbException notFound(VChannel vchannel) {
    return DbException.withFields(ErrorCode.CHANNEL_NOT_FOUND, "channel", vchannel);
  }

  /// Where the channel begins; before every record when that is not known.
  static ChannelCheckpoint startOf(
      CollectionMeta collection, List<ChannelCheckpoint> starts, VChannel vchannel) {
    for (ChannelCheckpoint start : starts) {
      if (start.vchannel().equals(vchannel)) {
        return start;
      }
    }
    if (!collection.vchannels().contains(vchannel)) {
      throw notFound(vchannel);
    }
    return new ChannelCheckpoint(vchannel, MessageId.NONE, HybridTs.ZERO);
  }
}
