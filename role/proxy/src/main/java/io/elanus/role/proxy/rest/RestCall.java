package io.elanus.role.proxy.rest;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.service.CallContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A parsed call: its JSON object, the database it means, and whether the client takes 64-bit
/// integers as JSON numbers.
///
/// Immutable.
record RestCall(JsonNode body, String database, boolean longsAsNumbers, CallContext context) {

  /// A required string; 1802 when it is missing or empty.
  String required(String key) {
    String value = text(key, "");
    if (value.isEmpty()) {
      throw missing(key);
    }
    return value;
  }

  /// A required member of any kind; 1802 when it is missing or null.
  JsonNode requiredNode(String key) {
    JsonNode node = body.get(key);
    if (node == null || node.isNull()) {
      throw missing(key);
    }
    return node;
  }

  static DbException missing(String key) {
    String field = Character.toUpperCase(key.charAt(0)) + key.substring(1);
    return DbException.verbatim(
        ErrorCode.MISSING_REQUIRED_PARAMETERS,
        ErrorCode.MISSING_REQUIRED_PARAMETERS.text()
            + ", error: Key: '"
            + field
            + "' Error:Field validation for '"
            + field
            + "' failed on the 'required' tag");
  }

  String text(String key, String otherwise) {
    return text(body, key, otherwise);
  }

  static String text(JsonNode object, String key, String otherwise) {
    JsonNode node = object.get(key);
    return node == null || node.isNull() ? otherwise : scalarText(node);
  }

  long whole(String key, long otherwise) {
    JsonNode node = body.get(key);
    if (node == null || node.isNull()) {
      return otherwise;
    }
    return whole(key, node);
  }

  /// A 64-bit integer, given as a number or as text; 1801 for anything else, also for integers
  /// beyond 64 bits.
  static long whole(String key, JsonNode node) {
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return node.longValue();
    }
    try {
      return Long.parseLong(scalarText(node).strip());
    } catch (NumberFormatException e) {
      throw wrongType(key, "an integer", node).causedBy(e);
    }
  }

  /// A number as a double: infinite when it is beyond the range of one, never an error.
  static double real(JsonNode number) {
    return number.isBigInteger() ? number.bigIntegerValue().doubleValue() : number.doubleValue();
  }

  /// As the static one, but 1802 when it is missing.
  Map<String, String> requiredProperties(String key) {
    requiredNode(key);
    return properties(body, key);
  }

  boolean flag(String key, boolean otherwise) {
    return flag(body, key, otherwise);
  }

  static boolean flag(JsonNode object, String key, boolean otherwise) {
    JsonNode node = object.get(key);
    if (node == null || node.isNull()) {
      return otherwise;
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    return switch (scalarText(node).toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrongType(key, "a boolean", node);
    };
  }

  List<String> texts(String key) {
    JsonNode node = body.get(key);
    if (node == null || node.isNull()) {
      return List.of();
    }
    if (!node.isArray()) {
      throw wrongType(key, "an array of strings", node);
    }
    List<String> values = new ArrayList<>();
    node.forEach(value -> values.add(scalarText(value)));
    return values;
  }

  /// The member `key`, which has to be an object; null when it is absent or null.
  static @Nullable ObjectNode object(JsonNode object, String key) {
    JsonNode node = object.get(key);
    if (node == null || node.isNull()) {
      return null;
    }
    if (node instanceof ObjectNode members) {
      return members;
    }
    throw wrongType(key, "an object", node);
  }

  /// The entries of the member `key`, which has to be an array of objects; empty when it is absent
  /// or null.
  static List<ObjectNode> objects(JsonNode object, String key) {
    JsonNode node = object.get(key);
    if (node == null || node.isNull()) {
      return List.of();
    }
    if (!node.isArray()) {
      throw wrongType(key, "an array of objects", node);
    }
    List<ObjectNode> values = new ArrayList<>();
    for (JsonNode value : node) {
      if (!(value instanceof ObjectNode members)) {
        throw wrongType(key, "an array of objects", node);
      }
      values.add(members);
    }
    return values;
  }

  /// The members of the object `key` as text, numbers in their JSON form; empty when it is absent.
  static Map<String, String> properties(JsonNode object, String key) {
    ObjectNode node = object(object, key);
    if (node == null) {
      return Map.of();
    }
    Map<String, String> values = new TreeMap<>();
    node.properties().forEach(e -> values.put(e.getKey(), scalarText(e.getValue())));
    return Collections.unmodifiableMap(values);
  }

  /// A string's value, or the JSON text of anything else.
  static String scalarText(JsonNode node) {
    return node.isString() ? node.stringValue() : node.toString();
  }

  static DbException wrongType(String key, String expected, JsonNode actual) {
    return DbException.verbatim(
        ErrorCode.INCORRECT_PARAMETER_FORMAT,
        ErrorCode.INCORRECT_PARAMETER_FORMAT.text()
            + ", error: "
            + key
            + " should be "
            + expected
            + ", got "
            + actual);
  }
}
