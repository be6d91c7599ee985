package io.elanus.role.proxy.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.TemplateArgument;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FilterPlansTest {
  private static final FieldSchema.Flags KEY =
      new FieldSchema.Flags(true, false, false, false, false, false, false);
  private static final FieldSchema.Flags DYNAMIC =
      new FieldSchema.Flags(false, false, false, false, true, false, false);

  private static CollectionSchema schema(boolean dynamic) {
    List<FieldSchema> fields =
        new java.util.ArrayList<>(
            List.of(
                FieldSchema.of(100, "id", DataType.INT64).withFlags(KEY),
                FieldSchema.of(101, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "2")),
                FieldSchema.of(102, "t", DataType.VARCHAR)
                    .withTypeParams(Map.of("max_length", "9")),
                FieldSchema.of(103, "j", DataType.JSON)));
    if (dynamic) {
      fields.add(FieldSchema.of(104, "$meta", DataType.JSON).withFlags(DYNAMIC));
    }
    return new CollectionSchema("c", "", dynamic, 0, fields);
  }

  @Test
  void parsesATextOnce() {
    FilterPlans plans = new FilterPlans(schema(false));

    assertThat(plans.forQuery("id > 3", Map.of())).isSameAs(plans.forQuery("id > 3", Map.of()));
    assertThat(plans.forQuery("  ", Map.of()).text()).isEmpty();
  }

  @Test
  void writesTemplateValuesIntoTheText() {
    FilterPlans plans = new FilterPlans(schema(false));
    TemplateArgument nasty = new TemplateArgument.Text("a\"b\\{x}\n");
    TemplateArgument list =
        new TemplateArgument.Many(
            List.of(new TemplateArgument.Whole(-1), new TemplateArgument.Whole(2)));

    FilterPlan plan =
        plans.forQuery(
            "t == {x} and id in {ids} and t != \"{x}\"", Map.of("x", nasty, "ids", list));

    assertThat(plan.text())
        .isEqualTo("t == \"a\\\"b\\\\{x}\\n\" and id in [-1,2] and t != \"{x}\"");
    assertThat(plans.forQuery(plan.text(), Map.of()).expr()).isEqualTo(plan.expr());
  }

  @Test
  void refusesAsTheContractSays() {
    FilterPlans plans = new FilterPlans(schema(false));

    assertThatThrownBy(() -> plans.forQuery("nope > 1", Map.of()))
        .hasMessageStartingWith("failed to create query plan: ")
        .hasMessageContaining("field nope not exist");
    assertThatThrownBy(() -> plans.forDelete("", Map.of()))
        .hasMessageContaining("delete plan can't be empty or always true : ");
  }

  @Test
  void selectsByKeys() {
    FilterPlans plans = new FilterPlans(schema(false));
    FieldSchema text = FieldSchema.of(100, "k", DataType.VARCHAR);

    assertThat(KeyFilter.text(schema(false).primaryKey(), PrimaryKeys.of(-1L, 7L)))
        .isEqualTo("id in [-1,7]");
    assertThat(KeyFilter.text(text, PrimaryKeys.of("a\"", "b")))
        .isEqualTo("k in [\"a\\\"\",\"b\"]");
    assertThat(plans.forQuery("id in [-1,7]", Map.of()).isAlwaysTrue()).isFalse();
  }

  @Test
  void tellsWhichValuesOfAPartitionKeyAFilterAllows() {
    FilterPlans plans = new FilterPlans(schema(false));
    FieldSchema text = java.util.Objects.requireNonNull(schema(false).field("t"));

    assertThat(pinned(plans, "t == \"a\" and id > 3", text)).isEqualTo(PrimaryKeys.of("a"));
    assertThat(pinned(plans, "t in [\"a\", \"b\"] or t == \"c\"", text))
        .isEqualTo(PrimaryKeys.of("a", "b", "c"));
    assertThat(pinned(plans, "t == \"a\" or id > 3", text)).isNull();
    assertThat(pinned(plans, "t != \"a\"", text)).isNull();
    assertThat(pinned(plans, "not (t == \"a\")", text)).isNull();
    assertThat(pinned(plans, "id == 5", schema(false).primaryKey())).isEqualTo(PrimaryKeys.of(5L));
  }

  private static @org.jspecify.annotations.Nullable PrimaryKeys pinned(
      FilterPlans plans, String filter, FieldSchema key) {
    return PinnedKeys.of(plans.forQuery(filter, Map.of()).expr(), key);
  }

  @Test
  void resolvesOutputFields() {
    OutputPlan all = OutputPlan.of(List.of("*"), schema(true));
    OutputPlan some = OutputPlan.of(List.of("t", "id", "color", "$meta[\"x\"]"), schema(true));

    assertThat(all.names()).containsExactly("id", "v", "t", "j", "$meta");
    assertThat(all.primaryKey()).isTrue();
    assertThat(all.dynamicKeys()).isEmpty();
    assertThat(some.fields()).extracting(FieldSchema::name).containsExactly("t", "$meta");
    assertThat(some.names()).containsExactly("t", "id", "color", "$meta[\"x\"]");
    assertThat(some.dynamicKeys()).isEqualTo(Set.of("color", "x"));
    assertThat(OutputPlan.of(List.of("color", "$meta"), schema(true)).dynamicKeys()).isEmpty();
  }

  @Test
  void refusesOutputFieldsThatAreNotThere() {
    assertThatThrownBy(() -> OutputPlan.of(List.of("color"), schema(false)))
        .hasMessage("field color not exist: invalid parameter");
    assertThatThrownBy(() -> OutputPlan.of(List.of("j[\"a\"]"), schema(true)))
        .hasMessageContaining("parse output field name failed: j[\"a\"]");
    assertThatThrownBy(() -> OutputPlan.of(List.of("$meta[\"a\"][\"b\"]"), schema(true)))
        .hasMessageContaining("parse output field name failed");
  }
}
