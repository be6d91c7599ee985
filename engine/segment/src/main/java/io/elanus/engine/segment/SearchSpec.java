package io.elanus.engine.segment;

import io.elanus.base.id.FieldId;
import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.IndexParams;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.engine.index.vector.SearchParams;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A vector search: the best `k` of each of `nq` queries (`vectors`: nq × dim, row-major).
///
/// `params` are the user's; each kind of index reads what it knows and checks it, once a search.
///
/// Thread-safe: immutable, parsed parameters are cached; nobody may write `vectors`.
public final class SearchSpec {
  private final FieldId field;
  private final MetricType metric;
  private final int dim;
  private final float[] vectors;
  private final int k;
  private final Map<String, String> params;
  private volatile @Nullable Parsed parsed;

  /// Parameters as one type reads them, and those of other types.
  private record Parsed(IndexType type, SearchParams params, @Nullable Parsed others) {}

  public SearchSpec(
      FieldId field,
      MetricType metric,
      int dim,
      float[] vectors,
      int k,
      Map<String, String> params) {
    this.field = field;
    this.metric = metric;
    this.dim = dim;
    this.vectors = vectors;
    this.k = k;
    this.params = params;
  }

  public FieldId field() {
    return field;
  }

  public MetricType metric() {
    return metric;
  }

  public int dim() {
    return dim;
  }

  /// Not to be written.
  public float[] vectors() {
    return vectors;
  }

  public int k() {
    return k;
  }

  public int nq() {
    return vectors.length / dim;
  }

  /// The parameters as an index of this type reads them; errors as in [IndexParams#parseSearch].
  public SearchParams paramsFor(IndexType type) {
    for (Parsed at = parsed; at != null; at = at.others) {
      if (at.type == type) {
        return at.params;
      }
    }
    SearchParams params = IndexParams.parseSearch(type, metric, k, this.params);
    parsed = new Parsed(type, params, parsed);
    return params;
  }
}
