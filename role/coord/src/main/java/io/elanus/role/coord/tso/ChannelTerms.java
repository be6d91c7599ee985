package io.elanus.role.coord.tso;

import io.elanus.base.id.PChannel;
import io.elanus.wire.service.TsoService.ChannelTerm;
import java.util.concurrent.ConcurrentHashMap;

/// The highest term of each PChannel. A term is raised here before a node is asked to open under
/// it, so every timestamp that the new owner gets was granted after the old one's last tick (rule
/// W-04).
///
/// Thread-safe: a concurrent map whose values only grow.
public final class ChannelTerms {
  private final ConcurrentHashMap<PChannel, Long> terms = new ConcurrentHashMap<>();

  public void raise(PChannel pchannel, long term) {
    terms.merge(pchannel, term, Math::max);
  }

  /// The highest term known; 0 when the channel was never assigned.
  public long term(PChannel pchannel) {
    return terms.getOrDefault(pchannel, 0L);
  }

  /// False once a higher term exists.
  public boolean isCurrent(ChannelTerm owner) {
    return owner.term() >= term(owner.pchannel());
  }
}
