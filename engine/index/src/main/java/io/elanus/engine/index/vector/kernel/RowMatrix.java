package io.elanus.engine.index.vector.kernel;

/// Where float32 rows lie in native or mapped memory: row `i` is `dim` little-endian floats at
/// `address + i × strideBytes`; the stride may be padded.
///
/// An address carries no lifetime: whoever uses the matrix keeps the memory's owner reachable and
/// open for as long as a kernel runs.
///
/// Immutable.
public record RowMatrix(long address, long strideBytes, int dim, int rows) {
  /// Address of row `row`.
  public long addressOf(int row) {
    return address + row * strideBytes;
  }
}
