package io.elanus.wire.message;

/// What a broadcast locks (rule B-10). Sorted by domain, then key.
///
/// Immutable.
public record ResourceKey(Domain domain, String key, boolean shared)
    implements Comparable<ResourceKey> {

  /// Lock domains with their documented sort order.
  public enum Domain {
    COLLECTION_NAME(2),
    DB_NAME(3),
    PRIVILEGE(4),
    SNAPSHOT_NAME(5),
    CLUSTER(127);

    private final int order;

    Domain(int order) {
      this.order = order;
    }

    public int order() {
      return order;
    }
  }

  public static ResourceKey sharedCluster() {
    return new ResourceKey(Domain.CLUSTER, "", true);
  }

  public static ResourceKey exclusiveCluster() {
    return new ResourceKey(Domain.CLUSTER, "", false);
  }

  public static ResourceKey sharedDatabase(String name) {
    return new ResourceKey(Domain.DB_NAME, name, true);
  }

  public static ResourceKey exclusiveDatabase(String name) {
    return new ResourceKey(Domain.DB_NAME, name, false);
  }

  /// Collection names are unique within their database only.
  public static ResourceKey exclusiveCollection(String database, String name) {
    return new ResourceKey(Domain.COLLECTION_NAME, database + "/" + name, false);
  }

  public static ResourceKey sharedCollection(String database, String name) {
    return new ResourceKey(Domain.COLLECTION_NAME, database + "/" + name, true);
  }

  public static ResourceKey exclusivePrivilege() {
    return new ResourceKey(Domain.PRIVILEGE, "", false);
  }

  @Override
  public int compareTo(ResourceKey other) {
    int byDomain = Integer.compare(domain.order(), other.domain.order());
    if (byDomain != 0) {
      return byDomain;
    }
    int byKey = key.compareTo(other.key);
    return byKey != 0 ? byKey : Boolean.compare(shared, other.shared);
  }
}
