package io.elanus.base.id;

import java.util.Objects;

/// Name of a virtual channel, the ordered stream of one shard of one collection
/// (`<pchannel>_<collectionId>v<shard>`), or of the control channel (`<pchannel>_vcchan`). A
/// PChannel-level message uses the bare physical name.
///
/// Immutable.
public record VChannel(String name) implements Comparable<VChannel> {
  public VChannel {
    Objects.requireNonNull(name);
  }

  public static VChannel of(PChannel pchannel, CollectionId collection, int shard) {
    return new VChannel(pchannel.name() + "_" + collection.value() + "v" + shard);
  }

  public boolean isControlChannel() {
    return name.endsWith("_vcchan");
  }

  /// The physical channel that carries this one.
  public PChannel pchannel() {
    int tail = name.lastIndexOf('_');
    String suffix = name.substring(tail + 1);
    boolean virtual = suffix.equals("vcchan") || suffix.indexOf('v') > 0;
    return new PChannel(virtual ? name.substring(0, tail) : name);
  }

  @Override
  public int compareTo(VChannel other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
