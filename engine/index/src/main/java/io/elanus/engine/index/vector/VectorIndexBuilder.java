package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;

/// Builds an index over a FLOAT_VECTOR column without nulls.
///
/// A native or mapped column is read in place, by the build and by the index; a column on the heap is
/// copied to native memory. Other vector types answer UNIMPLEMENTED.
///
/// Thread-safe: stateless.
public final class VectorIndexBuilder {
  private VectorIndexBuilder() {}

  /// Blocks until the index is there; work is spread as `context` says.
  public static VectorIndex build(
      BuildParams params, MetricType metric, Column vectors, BuildContext context) {
    VectorRows rows = VectorRows.of(vectors, metric);
    return switch (params.type().resolved()) {
      case HNSW ->
          new HnswIndex(
              rows, HnswBuilder.build(rows, params.m(), params.efConstruction(), context));
      case IVF_FLAT -> new IvfFlatIndex(rows, IvfBuilder.build(rows, params.nlist(), context));
      case FLAT, AUTOINDEX -> new FlatIndex(rows);
    };
  }
}
