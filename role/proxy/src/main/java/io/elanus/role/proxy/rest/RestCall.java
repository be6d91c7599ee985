package io.elanus.role.proxy.rest;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.service.CallContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
    if (node.isIntegralNumber()) {
      return node.longValue();
    }
    try {
      return Long.parseLong(scalarText(node).strip());
    } catch (NumberFormatException e) {
      throw wrongType(key, "an integer", node).causedBy(e);
    }
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
    return Boolean.parseBoolean(scalarText(node));
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

  /// The members of an object as text, numbers in their JSON form; empty when absent.
  static Map<String, String> properties(@Nullable JsonNode node) {
    if (node == null || !node.isObject()) {
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
