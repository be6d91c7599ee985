package io.elanus.engine.index.vector;

import io.elanus.base.schema.MetricType;

/// How to search, after defaults and checks.
///
/// `ef` (HNSW) and `nprobe` (IVF) are 0 when the index shall choose. `radius` and `rangeFilter` are
/// NaN when not given; a range search has at least a radius.
///
/// | metric | a hit must satisfy |
/// | --- | --- |
/// | smaller is better | `rangeFilter <= score < radius` |
/// | larger is better | `radius < score <= rangeFilter` |
///
/// Immutable.
public record SearchParams(int ef, int nprobe, float radius, float rangeFilter) {
  /// Everything by default, no range.
  public static final SearchParams DEFAULT = new SearchParams(0, 0, Float.NaN, Float.NaN);

  public static SearchParams ofEf(int ef) {
    return new SearchParams(ef, 0, Float.NaN, Float.NaN);
  }

  public static SearchParams ofNprobe(int nprobe) {
    return new SearchParams(0, nprobe, Float.NaN, Float.NaN);
  }

  public SearchParams withRange(float newRadius, float newRangeFilter) {
    return new SearchParams(ef, nprobe, newRadius, newRangeFilter);
  }

  public boolean isRange() {
    return !Float.isNaN(radius);
  }

  /// Whether a score lies in the range; true for all when there is no range.
  public boolean inRange(float score, MetricType metric) {
    if (!isRange()) {
      return true;
    }
    return metric.isLargerBetter()
        ? score > radius && !(score > rangeFilter)
        : score < radius && !(score < rangeFilter);
  }
}
