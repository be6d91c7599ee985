package io.elanus.role.coord.schema;

import io.elanus.base.id.PChannel;
import io.elanus.base.id.VChannel;
import io.elanus.wire.meta.CollectionMeta;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Spreads VChannels over PChannels by fewest VChannels, those of unfinished creations included.
///
/// Owned by: the broadcaster's loop.
final class ChannelPlacer {
  private final Map<PChannel, Integer> counts = new LinkedHashMap<>();

  /// `pchannels` in index order, which breaks ties.
  ChannelPlacer(List<PChannel> pchannels) {
    pchannels.forEach(pchannel -> counts.put(pchannel, 0));
  }

  void add(CollectionMeta collection) {
    for (VChannel vchannel : collection.vchannels()) {
      counts.merge(vchannel.pchannel(), 1, Integer::sum);
    }
  }

  void remove(CollectionMeta collection) {
    for (VChannel vchannel : collection.vchannels()) {
      counts.merge(vchannel.pchannel(), -1, Integer::sum);
    }
  }

  /// `shards` PChannels, different ones as far as there are enough. They count until [#free].
  List<PChannel> reserve(int shards) {
    List<PChannel> order = new ArrayList<>(counts.keySet());
    order.sort(Comparator.comparing(counts::get)); // Stable: ties stay in index order.
    List<PChannel> chosen = new ArrayList<>(shards);
    for (int shard = 0; shard < shards; shard++) {
      PChannel pchannel = order.get(shard % order.size());
      chosen.add(pchannel);
      counts.merge(pchannel, 1, Integer::sum);
    }
    return chosen;
  }

  void free(List<PChannel> reserved) {
    reserved.forEach(pchannel -> counts.merge(pchannel, -1, Integer::sum));
  }
}
