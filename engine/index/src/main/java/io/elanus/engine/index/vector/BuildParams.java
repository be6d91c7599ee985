package io.elanus.engine.index.vector;

/// What to build, after defaults and checks (see [IndexParams#parseBuild]). `m` and
/// `efConstruction` count for HNSW, `nlist` for IVF_FLAT.
///
/// Immutable.
public record BuildParams(IndexType type, int m, int efConstruction, int nlist) {
  public static BuildParams flat() {
    return new BuildParams(IndexType.FLAT, 0, 0, 0);
  }

  public static BuildParams hnsw(int m, int efConstruction) {
    return new BuildParams(IndexType.HNSW, m, efConstruction, 0);
  }

  public static BuildParams ivfFlat(int nlist) {
    return new BuildParams(IndexType.IVF_FLAT, 0, 0, nlist);
  }

  /// The server's choice.
  public static BuildParams auto() {
    return new BuildParams(IndexType.AUTOINDEX, IndexParams.AUTO_M, IndexParams.AUTO_EF, 0);
  }
}
