package io.elanus.role.proxy.check;

import io.elanus.base.schema.CollectionSchema;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON as clients send it: values of JSON fields, dynamic rows, parameter objects.
///
/// Thread-safe: stateless.
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private JsonText() {}

  /// What is wrong with `json` as a value; null when nothing is.
  public static @Nullable String valueFault(byte[] json) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return "empty";
      }
      String fault = skip(parser);
      if (fault != null) {
        return fault;
      }
      return parser.nextToken() == null ? null : "more than one value";
    } catch (JacksonException e) {
      return e.getOriginalMessage();
    }
  }

  /// Moves to the end of the value that begins here; answers what is wrong with it. Numbers that
  /// are infinite as a double are: readers refuse the whole answer that holds one.
  private static @Nullable String skip(JsonParser parser) {
    int depth = 0;
    while (true) {
      JsonToken token = parser.currentToken();
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token.isNumeric() && isInfinite(parser, token)) {
        return "a number is beyond the range of a double";
      }
      if (depth == 0) {
        return null;
      }
      parser.nextToken();
    }
  }

  private static boolean isInfinite(JsonParser parser, JsonToken token) {
    boolean small = token == JsonToken.VALUE_NUMBER_INT && parser.getStringLength() <= 300;
    return !small && Double.isInfinite(Double.parseDouble(parser.getString()));
  }

  /// What is wrong with `json` as a row of dynamic keys; null when nothing is.
  public static @Nullable String dynamicFault(byte[] json, CollectionSchema schema) {
    if (json.length == 2 && json[0] == '{' && json[1] == '}') {
      return null;
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return "invalid dynamic field data, only json map is supported";
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = parser.currentName();
        if (key.equals(CollectionSchema.DYNAMIC_FIELD)) {
          return "cannot set json key to: " + CollectionSchema.DYNAMIC_FIELD;
        }
        if (schema.field(key) != null) {
          return "dynamic field name cannot include the static field name: " + key;
        }
        parser.nextToken();
        String fault = skip(parser);
        if (fault != null) {
          return "invalid dynamic field data, only json map is supported: " + fault;
        }
      }
      return parser.nextToken() == null ? null : "more than one value";
    } catch (JacksonException e) {
      return "invalid dynamic field data, only json map is supported: " + e.getOriginalMessage();
    }
  }

  /// The members of a JSON object as JSON texts (`"a"` stays quoted); null when it is no object.
  public static @Nullable Map<String, String> members(String json) {
    JsonNode node;
    try {
      node = MAPPER.readTree(json);
    } catch (JacksonException e) {
      return null;
    }
    if (node == null || !node.isObject()) {
      return null;
    }
    Map<String, String> members = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      members.put(entry.getKey(), entry.getValue().toString());
    }
    return members;
  }

  /// A JSON text without the quotes of a string.
  public static String unquoted(String json) {
    JsonNode node;
    try {
      node = MAPPER.readTree(json);
    } catch (JacksonException e) {
      return json;
    }
    return node != null && node.isString() ? node.stringValue() : json;
  }

  public static JsonMapper mapper() {
    return MAPPER;
  }
}
