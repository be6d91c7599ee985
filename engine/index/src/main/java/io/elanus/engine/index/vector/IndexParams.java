package io.elanus.engine.index.vector;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.MetricType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks and reads users' index and search parameters (index contract, section 2). Keys that an
/// index doesn't know are ignored.
///
/// Build values are texts as the wire carries them (`16`). Search values are JSON texts: `32`,
/// `"32"`, `32.0`, `true`, `null`, `[32]`; a quoted integer counts as integer.
///
/// Thread-safe: stateless.
public final class IndexParams {
  /// 32 links fill the groups of a coded block.
  static final int AUTO_M = 16;

  static final int AUTO_EF = 240;

  /// Default `ef` when `k` is smaller.
  private static final int MIN_EF = 16;

  /// The same where users have no `ef` to turn: recall must be good without.
  private static final int AUTO_MIN_EF = 64;

  private static final int DEFAULT_M = 30;
  private static final int DEFAULT_EF_CONSTRUCTION = 360;
  private static final int DEFAULT_NLIST = 128;
  private static final int MAX_LISTS = 65536;

  private IndexParams() {}

  /// Code 1100 when a parameter is of the wrong type or out of range, when the metric is missing or
  /// doesn't fit, or when the type can't carry vectors of this data type; code 10 when it could but
  /// this build can't.
  public static void validateBuild(
      IndexType type, DataType dataType, int dim, Map<String, String> params) {
    checkDataType(type, dataType);
    checkMetric(dataType, params.get("metric_type"));
    if (dim < 1) {
      throw DbException.invalid(
          "failed to check vector dimension, should be larger than 0 and smaller than math.MaxInt");
    }
    parseBuild(type, params);
  }

  private static void checkDataType(IndexType type, DataType dataType) {
    switch (dataType) {
      case FLOAT_VECTOR -> {}
      case FLOAT16_VECTOR, BFLOAT16_VECTOR ->
          throw DbException.described(
              ErrorCode.UNIMPLEMENTED, "index " + type + " over " + dataType.wireName());
      case INT8_VECTOR, BINARY_VECTOR -> {
        if (type.resolved() == IndexType.HNSW) {
          throw DbException.described(
              ErrorCode.UNIMPLEMENTED, "index " + type + " over " + dataType.wireName());
        }
        throw cannotBuild(type, dataType);
      }
      case BOOL,
          INT8,
          INT16,
          INT32,
          INT64,
          FLOAT,
          DOUBLE,
          STRING,
          VARCHAR,
          ARRAY,
          JSON,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          SPARSE_FLOAT_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw cannotBuild(type, dataType);
    }
  }

  private static DbException cannotBuild(IndexType type, DataType dataType) {
    return DbException.invalid(
        "data type " + dataType.wireName() + " can't build with this index " + type);
  }

  private static void checkMetric(DataType dataType, @Nullable String metric) {
    if (metric == null || metric.isEmpty()) {
      throw DbException.invalid(
          "metric type not set for vector index", "valid index params", "invalid index params");
    }
    if (dataType != DataType.FLOAT_VECTOR || !isFloatMetric(metric)) {
      throw DbException.invalid("float vector index does not support metric type: " + metric);
    }
  }

  private static boolean isFloatMetric(String name) {
    for (MetricType metric : MetricType.values()) {
      if (metric.name().equalsIgnoreCase(name)) {
        return metric == MetricType.L2 || metric == MetricType.IP || metric == MetricType.COSINE;
      }
    }
    return false;
  }

  /// The build parameters with their defaults; errors as in [#validateBuild].
  public static BuildParams parseBuild(IndexType type, Map<String, String> params) {
    return switch (type) {
      case FLAT -> BuildParams.flat();
      case AUTOINDEX -> BuildParams.auto();
      case HNSW ->
          BuildParams.hnsw(
              buildInt(params, "M", DEFAULT_M, 2, 2048),
              buildInt(params, "efConstruction", DEFAULT_EF_CONSTRUCTION, 1, Integer.MAX_VALUE));
      case IVF_FLAT -> BuildParams.ivfFlat(buildInt(params, "nlist", DEFAULT_NLIST, 1, MAX_LISTS));
    };
  }

  private static int buildInt(
      Map<String, String> params, String key, int defaultValue, int min, int max) {
    String text = params.get(key);
    if (text == null) {
      return defaultValue;
    }
    try {
      return inRange(key, integerOfText(key, text), min, max);
    } catch (BadParam e) {
      throw DbException.invalid(String.valueOf(e.getMessage())).causedBy(e);
    }
  }

  /// Search parameters of an index of this type for `k` hits. Knows `ef` (HNSW), `nprobe`
  /// (IVF_FLAT), `radius` and `range_filter` (all).
  ///
  /// Code 65535, blamed on the caller, for a wrong type or range and for `ef < k`; code 2000 for
  /// range bounds in the wrong order or a `range_filter` alone.
  public static SearchParams parseSearch(
      IndexType type, MetricType metric, int k, Map<String, String> params) {
    try {
      int ef = 0;
      int nprobe = 0;
      switch (type.resolved()) {
        case HNSW -> ef = parseEf(params, k, type == IndexType.AUTOINDEX ? AUTO_MIN_EF : MIN_EF);
        case IVF_FLAT -> nprobe = searchInt(params, "nprobe", 8, 1, MAX_LISTS);
        case FLAT, AUTOINDEX -> {}
      }
      float radius = searchFloat(params, "radius");
      float rangeFilter = searchFloat(params, "range_filter");
      checkRange(metric, radius, rangeFilter);
      return new SearchParams(ef, nprobe, radius, rangeFilter);
    } catch (BadParam e) {
      throw DbException.verbatim(ErrorCode.UNEXPECTED, String.valueOf(e.getMessage())).asInput();
    }
  }

  private static int parseEf(Map<String, String> params, int k, int min) throws BadParam {
    int ef = searchInt(params, "ef", Math.max(k, min), 1, Integer.MAX_VALUE);
    if (ef < k) {
      throw new BadParam("ef(" + ef + ") should be larger than k(" + k + ")");
    }
    return ef;
  }

  private static void checkRange(MetricType metric, float radius, float rangeFilter) {
    if (Float.isNaN(rangeFilter)) {
      return;
    }
    if (Float.isNaN(radius)) {
      throw segcore("range_filter needs a radius");
    }
    boolean larger = metric.isLargerBetter();
    if (larger ? rangeFilter <= radius : rangeFilter >= radius) {
      String relation = larger ? "greater" : "less";
      throw segcore(
          String.format(
              java.util.Locale.ROOT,
              "metric type (%s), range_filter(%f) must be %s than radius(%f)",
              metric,
              rangeFilter,
              relation,
              radius));
    }
  }

  private static DbException segcore(String message) {
    return DbException.verbatim(ErrorCode.SEGCORE, message).asInput();
  }

  private static int searchInt(
      Map<String, String> params, String key, int defaultValue, int min, int max) throws BadParam {
    String json = params.get(key);
    if (json == null) {
      return defaultValue;
    }
    String text = json.strip();
    if (isQuoted(text)) {
      return inRange(key, integerOfText(key, text.substring(1, text.length() - 1)), min, max);
    }
    if (!isInteger(text)) {
      throw new BadParam(
          "Type conflict in json: param '" + key + "' (" + text + ") should be integer");
    }
    return inRange(key, parseLong(text, key), min, max);
  }

  private static float searchFloat(Map<String, String> params, String key) throws BadParam {
    String json = params.get(key);
    if (json == null) {
      return Float.NaN;
    }
    String text = json.strip();
    String bare = isQuoted(text) ? text.substring(1, text.length() - 1) : text;
    try {
      float value = Float.parseFloat(bare);
      if (!Float.isNaN(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw notANumber(key, text);
    }
    throw notANumber(key, text);
  }

  private static BadParam notANumber(String key, String text) {
    return new BadParam(
        "Type conflict in json: param '" + key + "' (" + text + ") should be a number");
  }

  private static boolean isQuoted(String text) {
    return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
  }

  private static boolean isInteger(String text) {
    int from = text.startsWith("-") ? 1 : 0;
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() > from;
  }

  /// Reads a text the way the contract's engine does: leading digits count; what follows them makes
  /// it the wrong type, no digits at all make it no integer.
  private static long integerOfText(String key, String text) throws BadParam {
    String value = text.strip();
    if (isInteger(value)) {
      return parseLong(value, key);
    }
    int from = value.startsWith("-") || value.startsWith("+") ? 1 : 0;
    boolean startsWithDigit =
        value.length() > from && value.charAt(from) >= '0' && value.charAt(from) <= '9';
    String where = ", key: '" + key + "', value: '" + text + "'";
    throw new BadParam(
        (startsWithDigit ? "wrong data type in json" : "invalid integer value") + where);
  }

  private static long parseLong(String digits, String key) throws BadParam {
    try {
      long value = Long.parseLong(digits);
      if (value == (int) value) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw tooLong(digits, key);
    }
    throw tooLong(digits, key);
  }

  private static BadParam tooLong(String digits, String key) {
    return new BadParam("integer value out of range, key: '" + key + "', value: '" + digits + "'");
  }

  private static int inRange(String key, long value, int min, int max) throws BadParam {
    if (value < min || value > max) {
      throw new BadParam(
          "Out of range in json: param '"
              + key
              + "' ("
              + value
              + ") should be in range ["
              + min
              + ", "
              + max
              + "]");
    }
    return (int) value;
  }

  /// A parameter's fault before it has a code.
  private static final class BadParam extends Exception {
    private static final long serialVersionUID = 1;

    BadParam(String message) {
      super(message);
    }
  }
}
