package io.elanus.role.proxy.check;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.engine.index.vector.IndexParams;
import io.elanus.engine.index.vector.IndexType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Parameters of a new index: AUTOINDEX, defaults, checks (index contract, sections 1 to 3).
///
/// Vector indexes of float vectors are FLAT, HNSW, IVF_FLAT and AUTOINDEX; the other types of the
/// contract are refused as not built yet. Scalar indexes of the contract are accepted: they change
/// no result, and filters scan columns until they exist.
///
/// Thread-safe: stateless.
public final class IndexRules {
  private static final String INDEX_TYPE = "index_type";
  private static final String METRIC_TYPE = "metric_type";
  private static final String AUTOINDEX = "AUTOINDEX";
  private static final String DEFAULT_METRIC = "COSINE";

  /// Types that Milvus builds and this build doesn't yet.
  private static final Set<String> LATER =
      new TreeSet<>(
          List.of(
              "IVF_SQ8",
              "IVF_PQ",
              "IVF_RABITQ",
              "SCANN",
              "HNSW_SQ",
              "HNSW_PQ",
              "HNSW_PRQ",
              "DISKANN"));

  private static final Set<String> FOR_OTHER_VECTORS =
      new TreeSet<>(
          List.of(
              "BIN_FLAT", "BIN_IVF_FLAT", "MINHASH_LSH", "SPARSE_INVERTED_INDEX", "SPARSE_WAND"));

  private static final Set<String> SCALAR =
      new TreeSet<>(
          List.of(
              "INVERTED",
              "BITMAP",
              "STL_SORT",
              "Asceneding",
              "TRIE",
              "Trie",
              "marisa-trie",
              "NGRAM",
              "RTREE"));

  private IndexRules() {}

  /// What the client gave, as DescribeIndex echoes it, and what is built.
  public record Resolved(Map<String, String> userParams, Map<String, String> buildParams) {}

  /// Resolves flattened parameters for `field`; error 1100 (or 1101) as the contract says, 10 for
  /// what isn't there yet.
  public static Resolved resolve(FieldSchema field, Map<String, String> given) {
    Map<String, String> params = new TreeMap<>(given);
    params.remove("dim");
    params.remove("max_length");
    params.values().removeIf(String::isEmpty);
    return field.type().isVector() ? vector(field, params) : scalar(field, params);
  }

  private static Resolved vector(FieldSchema field, Map<String, String> params) {
    String type = params.getOrDefault(INDEX_TYPE, "");
    Map<String, String> user = params;
    Map<String, String> build = new TreeMap<>(params);
    if (type.isEmpty() || type.equals(AUTOINDEX)) {
      user = autoindex(params);
      build = new TreeMap<>(user);
    }
    String metric = build.get(METRIC_TYPE);
    if (metric == null || metric.isEmpty()) {
      throw DbException.invalid(
          "metric type not set for vector index", "valid index params", "invalid index params");
    }
    metric = metric.toUpperCase(java.util.Locale.ROOT);
    build.put(METRIC_TYPE, metric);
    checkMetric(field.type(), metric);
    String name = build.getOrDefault(INDEX_TYPE, "");
    IndexType known = IndexType.ofName(name);
    if (known == null) {
      throw unknownVectorType(field, name);
    }
    IndexParams.validateBuild(known, field.type(), field.dim(), build);
    fillDefaults(known, build);
    return new Resolved(user, build);
  }

  private static Map<String, String> autoindex(Map<String, String> params) {
    int named = params.containsKey(INDEX_TYPE) ? 1 : 0;
    int extra = params.size() - named;
    boolean metricOnly = extra == 0 || (extra == 1 && params.containsKey(METRIC_TYPE));
    if (!metricOnly) {
      throw DbException.invalid("only metric type can be passed when use AutoIndex");
    }
    Map<String, String> user = new TreeMap<>();
    user.put(INDEX_TYPE, AUTOINDEX);
    user.put(METRIC_TYPE, params.getOrDefault(METRIC_TYPE, DEFAULT_METRIC));
    return user;
  }

  private static void checkMetric(DataType type, String metric) {
    boolean float32 = type == DataType.FLOAT_VECTOR;
    if (float32 && !List.of("L2", "IP", "COSINE").contains(metric)) {
      throw DbException.invalid(
          "float vector index does not support metric type: " + metric,
          "valid index params",
          "invalid index params");
    }
  }

  private static DbException unknownVectorType(FieldSchema field, String name) {
    if (LATER.contains(name)) {
      return DbException.of(
          ErrorCode.UNIMPLEMENTED, "index type " + name + " is not supported yet");
    }
    if (FOR_OTHER_VECTORS.contains(name) || SCALAR.contains(name)) {
      return DbException.invalid(
          "data type " + field.type().wireName() + " can't build with this index " + name);
    }
    return DbException.invalid("", "valid index", "invalid index type: " + name);
  }

  private static void fillDefaults(IndexType type, Map<String, String> build) {
    var parsed = IndexParams.parseBuild(type, build);
    switch (type.resolved()) {
      case HNSW -> {
        build.put("M", Integer.toString(parsed.m()));
        build.put("efConstruction", Integer.toString(parsed.efConstruction()));
      }
      case IVF_FLAT -> build.put("nlist", Integer.toString(parsed.nlist()));
      case FLAT, AUTOINDEX -> {}
    }
  }

  private static Resolved scalar(FieldSchema field, Map<String, String> params) {
    Map<String, String> build = new TreeMap<>(params);
    String type = params.getOrDefault(INDEX_TYPE, "");
    Map<String, String> user = params;
    if (type.isEmpty() || type.equals(AUTOINDEX)) {
      user = new TreeMap<>(params);
      user.put(INDEX_TYPE, AUTOINDEX);
      type = defaultScalar(field.type());
      build.put(INDEX_TYPE, type);
    } else {
      checkScalar(field, type);
    }
    if (field.type() == DataType.JSON) {
      checkJson(type, params);
      String path = pointer(params.getOrDefault("json_path", ""), field.name());
      if (!path.isEmpty()) {
        build.put("json_path", path);
      } else {
        build.remove("json_path");
      }
    }
    return new Resolved(user, build);
  }

  /// The JSON pointer of a path written as in filters (`field["a"]["b"]`, `field`, `key`), with `~`
  /// and `/` escaped; empty for the whole field.
  static String pointer(String path, String field) {
    if (path.startsWith("/")) {
      return path;
    }
    String rest = path;
    if (rest.equals(field) || rest.startsWith(field + "[")) {
      rest = rest.substring(field.length());
    }
    StringBuilder out = new StringBuilder();
    int bracket = rest.indexOf('[');
    String head = bracket < 0 ? rest : rest.substring(0, bracket);
    if (!head.isEmpty()) {
      out.append('/').append(escaped(head));
    }
    while (bracket >= 0) {
      int close = rest.indexOf(']', bracket);
      if (close < 0) {
        throw DbException.invalid("invalid json path: " + path);
      }
      String key = rest.substring(bracket + 1, close).strip();
      if (key.length() >= 2 && (key.startsWith("\"") || key.startsWith("'"))) {
        key = key.substring(1, key.length() - 1);
      }
      out.append('/').append(escaped(key));
      bracket = rest.indexOf('[', close);
    }
    return out.toString();
  }

  private static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static String defaultScalar(DataType type) {
    return switch (type) {
      case BOOL -> "BITMAP";
      case JSON -> "INVERTED";
      case INT8,
          INT16,
          INT32,
          INT64,
          FLOAT,
          DOUBLE,
          VARCHAR,
          STRING,
          ARRAY,
          GEOMETRY,
          TEXT,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          SPARSE_FLOAT_VECTOR,
          INT8_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          "HYBRID";
    };
  }

  private static void checkScalar(FieldSchema field, String type) {
    if (!SCALAR.contains(type)) {
      boolean vectorType =
          IndexType.ofName(type) != null
              || LATER.contains(type)
              || FOR_OTHER_VECTORS.contains(type);
      throw DbException.invalid(
          "",
          "valid index",
          vectorType
              ? "index " + type + " only supports vector data type"
              : "invalid index type: " + type);
    }
    DataType data = field.type();
    boolean number = data.isInteger() || data.isFloating();
    boolean text = data == DataType.VARCHAR;
    boolean fits =
        switch (type) {
          case "INVERTED" -> data == DataType.BOOL || number || text || data == DataType.JSON;
          case "BITMAP" -> data == DataType.BOOL || data.isInteger() || text;
          case "STL_SORT", "Asceneding" -> number || text;
          case "TRIE", "Trie", "marisa-trie" -> text;
          case "NGRAM" -> text || data == DataType.JSON;
          default -> false;
        };
    if (!fits) {
      throw DbException.invalid(scalarFault(type));
    }
    if (type.equals("BITMAP") && field.isPrimaryKey()) {
      throw DbException.invalid("create bitmap index on primary key not supported");
    }
  }

  private static String scalarFault(String type) {
    return switch (type) {
      case "INVERTED" ->
          "INVERTED are not supported on this data type, supported: bool, int, float, double,"
              + " varchar, json";
      case "BITMAP" -> "bitmap index are only supported on bool, int, string";
      case "STL_SORT", "Asceneding" -> "STL_SORT are only supported on numeric or varchar field";
      case "TRIE", "Trie", "marisa-trie" -> "TRIE are only supported on varchar field";
      case "NGRAM" -> "Ngram index can only be created on VARCHAR or JSON field";
      default -> "index " + type + " is not supported on this data type";
    };
  }

  private static void checkJson(String type, Map<String, String> params) {
    if (!type.equals("INVERTED") && !type.equals("NGRAM")) {
      throw DbException.invalid("index " + type + " is not supported on JSON");
    }
    String cast = params.get("json_cast_type");
    if (cast == null) {
      throw DbException.invalid("json index must specify cast type");
    }
    Set<String> casts =
        Set.of("BOOL", "DOUBLE", "VARCHAR", "ARRAY_BOOL", "ARRAY_DOUBLE", "ARRAY_VARCHAR", "JSON");
    if (!casts.contains(cast.strip().toUpperCase(java.util.Locale.ROOT))) {
      throw DbException.invalid("json_cast_type " + cast + " is not supported");
    }
  }
}
