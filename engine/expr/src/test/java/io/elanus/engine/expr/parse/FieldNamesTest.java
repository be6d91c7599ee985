package io.elanus.engine.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.engine.expr.TestTable;
import org.junit.jupiter.api.Test;

final class FieldNamesTest {
  private final CollectionSchema schema =
      new TestTable()
          .key("id", DataType.INT64)
          .field("j", DataType.JSON)
          .field("v", DataType.FLOAT_VECTOR)
          .field("text", DataType.TEXT)
          .dynamic()
          .schema();
  private final CollectionSchema plain = new TestTable().key("id", DataType.INT64).schema();

  @Test
  void outputFieldsAreFieldsOrDynamicKeys() {
    assertThat(FieldNames.resolveOutput(" v ", schema).field().name()).isEqualTo("v");
    assertThat(FieldNames.resolveOutput("text", schema).path()).isEmpty();
    assertThat(FieldNames.resolveOutput("color", schema).path()).containsExactly("color");
    assertThat(FieldNames.resolveOutput("$meta[\"a b\"]", schema).path()).containsExactly("a b");
    assertThat(FieldNames.resolveOutput("$meta", schema).path()).isEmpty();
  }

  @Test
  void deeperOutputFieldsAreRefused() {
    for (String name :
        new String[] {"j[\"a\"]", "$meta[\"a\"][\"b\"]", "a[\"b\"]", "a b", "1", ""}) {
      assertThatThrownBy(() -> FieldNames.resolveOutput(name, schema))
          .as(name)
          .hasMessage("parse output field name failed: " + name + ": invalid parameter");
    }
    assertThatThrownBy(() -> FieldNames.resolveOutput("color", plain))
        .hasMessage("field color not exist: invalid parameter");
  }

  @Test
  void placesInsideJsonAreResolved() {
    assertThat(FieldNames.resolve("j[\"a\"][0]", schema).path()).containsExactly("a", "0");
    assertThat(FieldNames.resolve("k['x']", schema).path()).containsExactly("k", "x");
    assertThatThrownBy(() -> FieldNames.resolve("j == 1", schema))
        .hasMessageContaining("cannot parse identifier: j == 1");
    assertThatThrownBy(() -> FieldNames.resolve("nope", plain))
        .hasMessageContaining("field nope not exist");
  }
}
