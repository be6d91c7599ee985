package io.elanus.base.id;

import java.util.Objects;

/// Name of a physical channel: one log, owned by one StreamingNode under a term (rule W-01).
///
/// Immutable.
public record PChannel(String name) implements Comparable<PChannel> {
  public PChannel {
    Objects.requireNonNull(name);
  }

  /// The `index`-th physical channel of a cluster with channel prefix `prefix`, e.g.
  /// `by-dev-rootcoord-dml_3`.
  public static PChannel of(String prefix, int index) {
    return new PChannel(prefix + "_" + index);
  }

  /// The control channel that lives on this physical channel.
  public VChannel controlChannel() {
    return new VChannel(name + "_vcchan");
  }

  @Override
  public int compareTo(PChannel other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
