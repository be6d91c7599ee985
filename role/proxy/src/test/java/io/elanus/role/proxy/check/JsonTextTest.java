package io.elanus.role.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.CollectionSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  private static final CollectionSchema SCHEMA = new CollectionSchema("c", "", true, 0, List.of());
  private static final String LONG_INTEGER = "9".repeat(320);

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void takesAnyValue() {
    for (String json :
        List.of("1", "-1.7e308", "9".repeat(300), "null", "\"1e400\"", "[1,{\"a\":[]}]", "{}")) {
      assertThat(JsonText.valueFault(bytes(json))).as(json).isNull();
    }
    assertThat(JsonText.dynamicFault(bytes("{\"a\":{\"b\":[1e3]},\"c\":2}"), SCHEMA)).isNull();
  }

  /// Clients fail to read a whole answer that holds such a number.
  @Test
  void refusesNumbersThatNoDoubleHolds() {
    for (String number : List.of("1e400", "-1e309", LONG_INTEGER)) {
      assertThat(JsonText.valueFault(bytes(number))).contains("beyond the range of a double");
      assertThat(JsonText.valueFault(bytes("{\"a\":[0," + number + "]}")))
          .contains("beyond the range of a double");
      assertThat(JsonText.dynamicFault(bytes("{\"a\":{\"b\":" + number + "}}"), SCHEMA))
          .contains("beyond the range of a double");
    }
  }

  @Test
  void refusesWhatIsNotOneValue() {
    for (String json : List.of("", "1 2", "[1", "{\"a\":}", "[1]]")) {
      assertThat(JsonText.valueFault(bytes(json))).as(json).isNotNull();
    }
  }
}
