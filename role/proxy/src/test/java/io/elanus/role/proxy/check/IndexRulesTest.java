package io.elanus.role.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexRulesTest {
  private static final FieldSchema VECTOR =
      FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "8"));
  private static final FieldSchema NUMBER = FieldSchema.of(102, "n", DataType.INT64);
  private static final FieldSchema JSON = FieldSchema.of(103, "j", DataType.JSON);

  private static void refused(
      FieldSchema field, Map<String, String> params, ErrorCode code, String message) {
    assertThatThrownBy(() -> IndexRules.resolve(field, params))
        .hasMessageContaining(message)
        .extracting("code")
        .isEqualTo(code);
  }

  private static void invalid(FieldSchema field, Map<String, String> params, String message) {
    refused(field, params, ErrorCode.PARAMETER_INVALID, message);
  }

  @Test
  void resolvesAutoindexAndEchoesItAsGiven() {
    IndexRules.Resolved bare = IndexRules.resolve(VECTOR, Map.of());
    IndexRules.Resolved named =
        IndexRules.resolve(VECTOR, Map.of("index_type", "AUTOINDEX", "metric_type", "L2"));

    assertThat(bare.userParams())
        .containsExactly(Map.entry("index_type", "AUTOINDEX"), Map.entry("metric_type", "COSINE"));
    assertThat(bare.buildParams()).containsEntry("metric_type", "COSINE");
    assertThat(named.userParams()).containsEntry("metric_type", "L2");
    assertThat(named.buildParams()).containsEntry("metric_type", "L2");
  }

  @Test
  void fillsDefaultsIntoWhatIsBuiltOnly() {
    Map<String, String> given = Map.of("index_type", "HNSW", "metric_type", "ip", "M", "8");

    IndexRules.Resolved resolved = IndexRules.resolve(VECTOR, given);

    assertThat(resolved.userParams()).isEqualTo(given);
    assertThat(resolved.buildParams())
        .containsEntry("M", "8")
        .containsEntry("efConstruction", "360")
        .containsEntry("metric_type", "IP");
  }

  @Test
  void dropsTypeParametersFromIndexParameters() {
    assertThat(
            IndexRules.resolve(
                    VECTOR, Map.of("index_type", "FLAT", "metric_type", "L2", "dim", "8"))
                .userParams())
        .doesNotContainKey("dim");
  }

  @Test
  void refusesBadVectorIndexes() {
    invalid(
        VECTOR,
        Map.of("index_type", "HNSW"),
        "metric type not set for vector index: invalid parameter[expected=valid index"
            + " params][actual=invalid index params]");
    invalid(
        VECTOR,
        Map.of("index_type", "HNSW", "metric_type", "HAMMING"),
        "float vector index does not support metric type: HAMMING");
    invalid(
        VECTOR,
        Map.of("index_type", "NOPE", "metric_type", "L2"),
        "invalid parameter[expected=valid index][actual=invalid index type: NOPE]");
    invalid(
        VECTOR,
        Map.of("index_type", "AUTOINDEX", "metric_type", "L2", "M", "8"),
        "only metric type can be passed when use AutoIndex");
    invalid(
        VECTOR,
        Map.of("index_type", "BIN_FLAT", "metric_type", "L2"),
        "data type FloatVector can't build with this index BIN_FLAT");
    invalid(
        VECTOR,
        Map.of("index_type", "HNSW", "metric_type", "L2", "M", "1"),
        "Out of range in json: param 'M' (1) should be in range [2, 2048]");
    refused(
        VECTOR,
        Map.of("index_type", "IVF_PQ", "metric_type", "L2"),
        ErrorCode.UNIMPLEMENTED,
        "index type IVF_PQ is not supported yet");
  }

  @Test
  void checksScalarIndexesAgainstTheirFields() {
    assertThat(IndexRules.resolve(NUMBER, Map.of("index_type", "INVERTED")).buildParams())
        .containsEntry("index_type", "INVERTED");
    assertThat(IndexRules.resolve(NUMBER, Map.of()).userParams())
        .containsEntry("index_type", "AUTOINDEX");
    invalid(NUMBER, Map.of("index_type", "TRIE"), "TRIE are only supported on varchar field");
    invalid(NUMBER, Map.of("index_type", "HYBRID"), "invalid index type: HYBRID");
    invalid(
        NUMBER.withFlags(new FieldSchema.Flags(true, false, false, false, false, false, false)),
        Map.of("index_type", "BITMAP"),
        "create bitmap index on primary key not supported");
    invalid(JSON, Map.of("index_type", "INVERTED"), "json index must specify cast type");
  }

  @Test
  void writesJsonPathsAsPointers() {
    assertThat(IndexRules.pointer("j[\"a\"]['b/c'][0]", "j")).isEqualTo("/a/b~1c/0");
    assertThat(IndexRules.pointer("j", "j")).isEmpty();
    assertThat(IndexRules.pointer("key", "$meta")).isEqualTo("/key");
    assertThat(
            IndexRules.resolve(
                    JSON,
                    Map.of(
                        "index_type", "INVERTED",
                        "json_cast_type", "double",
                        "json_path", "j[\"a\"]"))
                .buildParams())
        .containsEntry("json_path", "/a");
  }
}
