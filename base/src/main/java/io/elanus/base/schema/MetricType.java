package io.elanus.base.schema;

import io.elanus.base.error.DbException;
import java.util.Locale;

/// Distance metrics and the direction in which a score is better (search contract, section 4).
///
/// Immutable.
public enum MetricType {
  /// Squared Euclidean distance, smaller is better.
  L2(false),
  /// Inner product, larger is better.
  IP(true),
  /// Cosine similarity in -1..1, larger is better.
  COSINE(true),
  HAMMING(false),
  JACCARD(false),
  SUBSTRUCTURE(false),
  SUPERSTRUCTURE(false),
  MHJACCARD(true),
  BM25(true),
  MAX_SIM(true),
  MAX_SIM_COSINE(true),
  MAX_SIM_IP(true),
  MAX_SIM_L2(false),
  MAX_SIM_HAMMING(false),
  MAX_SIM_JACCARD(false);

  private final boolean largerIsBetter;

  MetricType(boolean largerIsBetter) {
    this.largerIsBetter = largerIsBetter;
  }

  public boolean isLargerBetter() {
    return largerIsBetter;
  }

  /// The metric of this name in any case; error 1100 when there is none.
  public static MetricType ofName(String name) {
    try {
      return valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw DbException.invalid("metric type " + name + " is not supported").causedBy(e);
    }
  }
}
