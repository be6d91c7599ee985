package io.elanus.role.proxy.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaRulesTest {
  private static final FieldSchema ID = key("id", DataType.INT64);
  private static final FieldSchema VECTOR = vector("v", "8");

  private final SchemaRules rules =
      new SchemaRules(new SchemaRules.Bounds(5, 2, 32768, 65535, 16, 1024));

  private static FieldSchema key(String name, DataType type) {
    return FieldSchema.of(0, name, type).withFlags(flags(true, false, false, false));
  }

  private static FieldSchema.Flags flags(
      boolean key, boolean auto, boolean partitionKey, boolean nullable) {
    return new FieldSchema.Flags(key, auto, partitionKey, false, false, nullable, false);
  }

  private static FieldSchema vector(String name, String dim) {
    return FieldSchema.of(0, name, DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", dim));
  }

  private static FieldSchema text(String name, String maxLength) {
    return FieldSchema.of(0, name, DataType.VARCHAR)
        .withTypeParams(Map.of("max_length", maxLength));
  }

  private static FieldSchema withDefault(FieldSchema field, FieldSchema.DefaultValue value) {
    return new FieldSchema(
        field.id(),
        field.name(),
        field.description(),
        field.type(),
        field.elementType(),
        field.flags(),
        field.typeParams(),
        value);
  }

  private void check(FieldSchema... fields) {
    check("c", 1, 0, fields);
  }

  private void check(String name, int shards, int partitions, FieldSchema... fields) {
    rules.checkCollection(
        new CollectionSchema(name, "", false, 0, List.of(fields)), shards, partitions, Map.of());
  }

  private void refused(ErrorCode code, String message, FieldSchema... fields) {
    assertThatThrownBy(() -> check(fields))
        .hasMessageContaining(message)
        .extracting("code")
        .isEqualTo(code);
  }

  private void invalid(String message, FieldSchema... fields) {
    refused(ErrorCode.PARAMETER_INVALID, message, fields);
  }

  @Test
  void acceptsAPlainSchema() {
    assertThatCode(() -> check(ID, VECTOR, text("t", "10"))).doesNotThrowAnyException();
  }

  @Test
  void checksCountsBeforeNames() {
    assertThatThrownBy(() -> check("1", 17, 0, ID, VECTOR))
        .hasMessageContaining("maximum shards's number should be limited to 16");
    invalid(
        "maximum vector field's number should be limited to 2",
        ID,
        VECTOR,
        vector("w", "8"),
        vector("x", "8"));
    invalid("schema does not contain vector field", ID);
    List<FieldSchema> many = new ArrayList<>(List.of(ID, VECTOR));
    for (int i = 0; i < 4; i++) {
      many.add(FieldSchema.of(0, "f" + i, DataType.INT8));
    }
    invalid("maximum field's number should be limited to 5", many.toArray(FieldSchema[]::new));
    assertThatThrownBy(() -> check("1", 1, 0, ID, VECTOR))
        .hasMessageContaining("Invalid collection name");
  }

  @Test
  void wantsExactlyOneKeyOfARightType() {
    refused(ErrorCode.PARAMETER_MISSING, "primary key is not specified", VECTOR);
    invalid(
        "there are more than one primary key, field name = id, id2",
        ID,
        key("id2", DataType.INT64),
        VECTOR);
    invalid(
        "the data type of primary key should be Int64 or VarChar",
        key("id", DataType.FLOAT),
        VECTOR);
    invalid(
        "only primary field can speficy AutoID with true, field name = a",
        ID,
        FieldSchema.of(0, "a", DataType.INT64).withFlags(flags(false, true, false, false)),
        VECTOR);
    invalid(
        "primary field not support null", ID.withFlags(flags(true, false, false, true)), VECTOR);
  }

  @Test
  void checksDimensions() {
    invalid(
        "dimension is not defined in field type params of field v, check type param `dim` for"
            + " vector field",
        ID,
        FieldSchema.of(0, "v", DataType.FLOAT_VECTOR));
    invalid("invalid dimension: 1. should be in range 2 ~ 32768", ID, vector("v", "1"));
    invalid(
        "invalid dimension: 32769 of field v. float vector dimension should be in range 2 ~ 32768",
        ID,
        vector("v", "32769"));
    invalid(
        "invalid dimension: 9 of field b. binary vector dimension should be multiple of 8. ",
        ID,
        FieldSchema.of(0, "b", DataType.BINARY_VECTOR).withTypeParams(Map.of("dim", "9")));
  }

  @Test
  void checksTextLengths() {
    refused(
        ErrorCode.PARAMETER_MISSING,
        "type param(max_length) should be specified for the field(t) of collection c",
        ID,
        VECTOR,
        FieldSchema.of(0, "t", DataType.VARCHAR));
    invalid(
        "the maximum length specified for the field(t) should be in (0, 65535], but got 65536"
            + " instead",
        ID,
        VECTOR,
        text("t", "65536"));
  }

  @Test
  void refusesDoubledFieldsAndUserMadeDynamicOnes() {
    invalid("duplicated field name t found", ID, VECTOR, text("t", "9"), text("t", "9"));
    invalid(
        "cannot explicitly set a field as a dynamic field",
        ID,
        VECTOR,
        FieldSchema.of(0, "d", DataType.JSON)
            .withFlags(new FieldSchema.Flags(false, false, false, false, true, false, false)));
    invalid(
        "string data type not supported yet, please use VarChar type instead",
        ID,
        VECTOR,
        FieldSchema.of(0, "s", DataType.STRING));
  }

  @Test
  void checksPartitionKeys() {
    FieldSchema key = text("p", "9").withFlags(flags(false, false, true, false));
    assertThatCode(() -> check("c", 1, 64, ID, VECTOR, key)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("c", 1, 4, ID, VECTOR))
        .hasMessageContaining(
            "num_partitions should only be specified with partition key field enabled");
    assertThatThrownBy(() -> check("c", 1, 1025, ID, VECTOR, key))
        .hasMessageContaining("partition number (1025) exceeds max configuration (1024)");
    invalid(
        "the partition key field must not be primary field",
        ID.withFlags(flags(true, false, true, false)),
        VECTOR);
    invalid(
        "partition key field not support nullable",
        ID,
        VECTOR,
        key.withFlags(flags(false, false, true, true)));
  }

  @Test
  void checksDefaults() {
    FieldSchema small = FieldSchema.of(0, "n", DataType.INT8);
    assertThatCode(
            () -> check(ID, VECTOR, withDefault(small, new FieldSchema.DefaultValue.Whole(127))))
        .doesNotThrowAnyException();
    invalid(
        "default_value is overflow",
        ID,
        VECTOR,
        withDefault(small, new FieldSchema.DefaultValue.Whole(128)));
    invalid(
        "is not equal to the type(DataType_VarChar) of default_value",
        ID,
        VECTOR,
        withDefault(small, new FieldSchema.DefaultValue.Text("x")));
    invalid(
        "primary field not support default_value",
        withDefault(ID, new FieldSchema.DefaultValue.Whole(1)),
        VECTOR);
    invalid(
        "type not support default_value",
        ID,
        withDefault(VECTOR, new FieldSchema.DefaultValue.Real(1)));
  }

  @Test
  void refusesWhatIsNotBuiltYetInsteadOfIgnoringIt() {
    invalid(
        "data type SparseFloatVector of field s is not supported yet",
        ID,
        VECTOR,
        FieldSchema.of(0, "s", DataType.SPARSE_FLOAT_VECTOR));
    invalid(
        "enable_analyzer of field t is not supported yet",
        ID,
        VECTOR,
        FieldSchema.of(0, "t", DataType.VARCHAR)
            .withTypeParams(Map.of("max_length", "9", "enable_analyzer", "true")));
  }

  @Test
  void checksProperties() {
    assertThatThrownBy(() -> PropertyRules.check(Map.of("collection.ttl.seconds", "x")))
        .hasMessageContaining("collection TTL is not a valid positive integer");
    assertThatThrownBy(() -> PropertyRules.check(Map.of("collection.ttl.seconds", "-2")))
        .hasMessageContaining("collection TTL is out of range, expect [-1, 3155760000], got -2");
    assertThatThrownBy(() -> PropertyRules.check(Map.of("timezone", "Mars/North")))
        .hasMessageContaining("unknown or invalid IANA Time Zone ID: Mars/North");
    assertThatCode(() -> PropertyRules.check(Map.of("timezone", "Asia/Shanghai", "my.key", "1")))
        .doesNotThrowAnyException();
  }

  @Test
  void checksAddedFields() {
    CollectionSchema schema = new CollectionSchema("c", "", false, 0, List.of(ID, VECTOR));
    FieldSchema added =
        FieldSchema.of(0, "a", DataType.INT64).withFlags(flags(false, false, false, true));

    assertThatCode(() -> rules.checkAddedField(added, schema)).doesNotThrowAnyException();
    assertThatThrownBy(() -> rules.checkAddedField(FieldSchema.of(0, "a", DataType.INT64), schema))
        .hasMessageContaining("added field must be nullable, please check it, field name = a");
    assertThatThrownBy(() ->
            rules.checkAddedField(
                FieldSchema.of(0, "id", DataType.INT64).withFlags(flags(false, false, false, true)),
                schema))
        .hasMessageContaining("duplicate field name: id");
    assertThatThrownBy(
            () -> rules.checkAddedField(added.withFlags(flags(true, false, false, true)), schema))
        .hasMessageContaining("not support to add pk field, field name = a");
    assertThatThrownBy(
            () -> rules.checkAddedField(added.withFlags(flags(false, false, true, true)), schema))
        .hasMessageContaining("not support to add partition key field, field name  = a");
  }
}
