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
  /// The server's choice: a graph with M=16, efConstruction=240 whose blocks carry the codes of a
  /// row's neighbours beside their ids ([NeighbourCodes]); twice as fast as HNSW at equal recall,
  /// for several times its memory. Where codes don't pay (few or very many dimensions) a plain
  /// graph.
  AUTOINDEX;

  /// The kind whose search parameters and rules apply.
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
