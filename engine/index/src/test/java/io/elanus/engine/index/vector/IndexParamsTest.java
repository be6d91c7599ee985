package io.elanus.engine.index.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elanus.base.error.Blame;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.MetricType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexParamsTest {
  private static String buildError(IndexType type, DataType dataType, Map<String, String> params) {
    try {
      IndexParams.validateBuild(type, dataType, 8, params);
      return "";
    } catch (DbException e) {
      return e.code().number() + " " + e.getMessage();
    }
  }

  private static String buildError(IndexType type, String key, String value) {
    return buildError(type, DataType.FLOAT_VECTOR, Map.of("metric_type", "L2", key, value));
  }

  private static String searchError(IndexType type, int k, String key, String value) {
    try {
      IndexParams.parseSearch(type, MetricType.L2, k, Map.of(key, value));
      return "";
    } catch (DbException e) {
      assertThat(e.blame()).isEqualTo(Blame.INPUT);
      return e.code().number() + " " + e.getMessage();
    }
  }

  @Test
  void buildDefaultsAreThoseOfTheContract() {
    assertThat(IndexParams.parseBuild(IndexType.HNSW, Map.of()))
        .isEqualTo(BuildParams.hnsw(30, 360));
    assertThat(IndexParams.parseBuild(IndexType.IVF_FLAT, Map.of()))
        .isEqualTo(BuildParams.ivfFlat(128));
    assertThat(IndexParams.parseBuild(IndexType.AUTOINDEX, Map.of()))
        .isEqualTo(new BuildParams(IndexType.AUTOINDEX, 16, 240, 0));
    assertThat(IndexParams.parseBuild(IndexType.HNSW, Map.of("M", "16", "efConstruction", "200")))
        .isEqualTo(BuildParams.hnsw(16, 200));
  }

  @Test
  void buildBoundsAreInclusive() {
    for (String m : new String[] {"2", "2048"}) {
      assertThat(buildError(IndexType.HNSW, "M", m)).isEmpty();
    }
    assertThat(buildError(IndexType.HNSW, "M", "1"))
        .isEqualTo(
            "1100 Out of range in json: param 'M' (1) should be in range [2, 2048]:"
                + " invalid parameter");
    assertThat(buildError(IndexType.HNSW, "M", "2049"))
        .contains("(2049) should be in range [2, 2048]");
    assertThat(buildError(IndexType.HNSW, "efConstruction", "-1"))
        .contains("param 'efConstruction' (-1) should be in range [1, 2147483647]");
    assertThat(buildError(IndexType.HNSW, "efConstruction", "2147483648"))
        .contains("integer value out of range, key: 'efConstruction', value: '2147483648'");
    assertThat(buildError(IndexType.IVF_FLAT, "nlist", "0"))
        .contains("Out of range in json: param 'nlist' (0) should be in range [1, 65536]");
    assertThat(buildError(IndexType.IVF_FLAT, "nlist", "65536")).isEmpty();
  }

  @Test
  void wrongBuildTypesAreNamed() {
    assertThat(buildError(IndexType.HNSW, "M", "16.0"))
        .startsWith("1100 wrong data type in json")
        .endsWith(": invalid parameter");
    assertThat(buildError(IndexType.HNSW, "M", "True"))
        .isEqualTo("1100 invalid integer value, key: 'M', value: 'True': invalid parameter");
    assertThat(buildError(IndexType.HNSW, "M", "[16]"))
        .isEqualTo("1100 invalid integer value, key: 'M', value: '[16]': invalid parameter");
    assertThat(buildError(IndexType.HNSW, "unknown", "nothing")).isEmpty();
  }

  @Test
  void metricAndDataTypeMustFit() {
    assertThat(buildError(IndexType.FLAT, DataType.FLOAT_VECTOR, Map.of()))
        .isEqualTo(
            "1100 metric type not set for vector index: invalid parameter"
                + "[expected=valid index params][actual=invalid index params]");
    assertThat(buildError(IndexType.FLAT, DataType.FLOAT_VECTOR, Map.of("metric_type", "HAMMING")))
        .contains("float vector index does not support metric type: HAMMING");
    assertThat(buildError(IndexType.FLAT, DataType.FLOAT_VECTOR, Map.of("metric_type", "cosine")))
        .isEmpty();
    assertThat(buildError(IndexType.IVF_FLAT, DataType.SPARSE_FLOAT_VECTOR, Map.of()))
        .contains("data type SparseFloatVector can't build with this index IVF_FLAT");
    assertThat(buildError(IndexType.HNSW, DataType.FLOAT16_VECTOR, Map.of())).startsWith("10 ");
  }

  @Test
  void searchDefaultsAndBounds() {
    assertThat(IndexParams.parseSearch(IndexType.HNSW, MetricType.L2, 10, Map.of()).ef())
        .isEqualTo(16);
    assertThat(IndexParams.parseSearch(IndexType.AUTOINDEX, MetricType.L2, 100, Map.of()).ef())
        .isEqualTo(100);
    assertThat(IndexParams.parseSearch(IndexType.AUTOINDEX, MetricType.L2, 10, Map.of()).ef())
        .isEqualTo(64);
    assertThat(IndexParams.parseSearch(IndexType.IVF_FLAT, MetricType.L2, 100, Map.of()).nprobe())
        .isEqualTo(8);
    assertThat(searchError(IndexType.HNSW, 10, "ef", "10")).isEmpty();
    assertThat(searchError(IndexType.HNSW, 10, "ef", "\"32\"")).isEmpty();
    assertThat(searchError(IndexType.HNSW, 10, "ef", "1"))
        .isEqualTo("65535 ef(1) should be larger than k(10)");
    assertThat(searchError(IndexType.HNSW, 10, "ef", "-1"))
        .isEqualTo(
            "65535 Out of range in json: param 'ef' (-1) should be in range [1, 2147483647]");
    assertThat(searchError(IndexType.IVF_FLAT, 10, "nprobe", "0"))
        .isEqualTo("65535 Out of range in json: param 'nprobe' (0) should be in range [1, 65536]");
    assertThat(searchError(IndexType.FLAT, 10, "ef", "nonsense")).isEmpty();
  }

  @Test
  void wrongSearchTypesAreNamed() {
    for (String json : new String[] {"32.0", "true", "null", "[32]"}) {
      assertThat(searchError(IndexType.HNSW, 10, "ef", json))
          .isEqualTo("65535 Type conflict in json: param 'ef' (" + json + ") should be integer");
    }
    assertThat(searchError(IndexType.FLAT, 10, "radius", "true"))
        .isEqualTo("65535 Type conflict in json: param 'radius' (true) should be a number");
  }

  @Test
  void rangeBoundsMustBeInTheMetricsOrder() {
    assertThatExceptionOfType(DbException.class)
        .isThrownBy(() ->
            IndexParams.parseSearch(
                IndexType.FLAT, MetricType.L2, 1, Map.of("radius", "1", "range_filter", "2")))
        .withMessage("metric type (L2), range_filter(2.000000) must be less than radius(1.000000)")
        .matches(e -> e.code() == ErrorCode.SEGCORE);
    assertThatExceptionOfType(DbException.class)
        .isThrownBy(() ->
            IndexParams.parseSearch(
                IndexType.HNSW, MetricType.IP, 1, Map.of("radius", "1", "range_filter", "0.5")))
        .withMessage(
            "metric type (IP), range_filter(0.500000) must be greater than radius(1.000000)");
    assertThatExceptionOfType(DbException.class)
        .isThrownBy(() ->
            IndexParams.parseSearch(IndexType.FLAT, MetricType.L2, 1, Map.of("range_filter", "2")));
    assertThatCode(() ->
            IndexParams.parseSearch(
                IndexType.FLAT, MetricType.L2, 1, Map.of("radius", "2", "range_filter", "1")))
        .doesNotThrowAnyException();
  }
}
