package io.elanus.engine.index.vector;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;

/// Builds an index over a FLOAT_VECTOR column without nulls.
///
/// A native or mapped column is read in place, by the build and by the index; a column on the heap
/// is copied to native memory. Other vector types answer UNIMPLEMENTED.
///
/// Thread-safe: stateless.
public final class VectorIndexBuilder {
  private VectorIndexBuilder() {}

  /// Blocks until the index is there; work is spread as `context` says.
  public static VectorIndex build(
      BuildParams params, MetricType metric, Column vectors, BuildContext context) {
    VectorRows rows = VectorRows.of(vectors, metric);
    return switch (params.type()) {
      case FLAT -> new FlatIndex(rows);
      case HNSW -> new HnswIndex(rows, graph(rows, params, context));
      case IVF_FLAT -> new IvfFlatIndex(rows, IvfBuilder.build(rows, params.nlist(), context));
      case AUTOINDEX -> auto(rows, graph(rows, params, context), context);
    };
  }

  private static HnswGraph graph(VectorRows rows, BuildParams params, BuildContext context) {
    return HnswBuilder.build(rows, params.m(), params.efConstruction(), context);
  }

  private static VectorIndex auto(VectorRows rows, HnswGraph graph, BuildContext context) {
    if (!NeighbourCodes.fits(rows.dim())) {
      return new HnswIndex(rows, graph);
    }
    NeighbourCodes codes = NeighbourCodesBuilder.build(rows, graph, context);
    return new HnswIndex(rows, graph.withLinks(codes.blocks, codes.blockBytes), codes);
  }
}
