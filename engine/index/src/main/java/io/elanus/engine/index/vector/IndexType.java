package io.elanus.engine.index.vector;

/// Kinds of vector index that this module builds.
///
/// Immutable.
public enum IndexType {
  /// Exact: every row is scored.
  FLAT,
  /// Layered proximity graph.
  HNSW,
  /// Rows grouped by the nearest of `nlist` centroids.
  IVF_FLAT,
  /// The server's choice: HNSW with M=18, efConstruction=240 today. A quantised graph whose blocks
  /// carry the codes of a node's neighbours beside their ids is meant to take this place; it is a
  /// kind of its own in [VectorIndexFormat], so files of today stay readable.
  AUTOINDEX;

  /// What is really built.
  public IndexType resolved() {
    return this == AUTOINDEX ? HNSW : this;
  }

  /// The type of this exact name, or null.
  public static @org.jspecify.annotations.Nullable IndexType ofName(String name) {
    for (IndexType type : values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    return null;
  }
}
