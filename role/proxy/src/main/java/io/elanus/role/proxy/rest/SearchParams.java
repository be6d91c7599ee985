package io.elanus.role.proxy.rest;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.DataType;
import io.elanus.role.proxy.api.SearchRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `searchParams` and query vectors of a REST search in the wire's form.
///
/// Thread-safe: stateless.
final class SearchParams {
  /// Keys that stand beside `params` on the wire; every other one belongs inside.
  private static final List<String> OUTER =
      List.of("metric_type", "round_decimal", "ignore_growing", "hints");

  private SearchParams() {}

  /// Flattens the member `name`, `{"metricType": .., "params": {..}, "ef": ..}`.
  static void put(Map<String, String> out, JsonNode object, String name) {
    ObjectNode inner = RestHandler.NODES.objectNode();
    @Nullable ObjectNode given = RestCall.object(object, name);
    if (given != null) {
      given
          .properties()
          .forEach(e -> {
            String key = e.getKey();
            JsonNode value = e.getValue();
            if (key.equals("params")) {
              @Nullable ObjectNode members = RestCall.object(given, key);
              if (members != null) {
                inner.setAll(members);
              }
            } else if (key.equals("metricType")) {
              out.put("metric_type", RestCall.scalarText(value));
            } else if (OUTER.contains(key)) {
              out.put(key, RestCall.scalarText(value));
            } else {
              inner.set(key, value);
            }
          });
    }
    out.put("params", inner.toString());
  }

  /// Arrays of numbers become float vectors, strings stay texts.
  static SearchRequest.Queries queries(JsonNode data) {
    if (!data.isArray() || data.isEmpty()) {
      throw DbException.invalid("data should be a non-empty array of vectors or texts");
    }
    List<byte[]> values = new ArrayList<>(data.size());
    boolean text = data.get(0).isString();
    for (JsonNode query : data) {
      values.add(text ? RestHandler.utf8(query.asString()) : vector(query));
    }
    return new SearchRequest.Queries(
        text ? DataType.VARCHAR : DataType.FLOAT_VECTOR, values, values.size());
  }

  private static byte[] vector(JsonNode node) {
    if (!node.isArray()) {
      throw DbException.invalid("data should hold vectors, each an array of numbers, got " + node);
    }
    ByteBuffer bytes = ByteBuffer.allocate(4 * node.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (JsonNode value : node) {
      if (!value.isNumber()) {
        throw DbException.invalid("a query vector should hold numbers, got " + value);
      }
      bytes.putFloat((float) RestCall.real(value));
    }
    return bytes.array();
  }
}
