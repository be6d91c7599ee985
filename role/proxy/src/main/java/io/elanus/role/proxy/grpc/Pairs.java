package io.elanus.role.proxy.grpc;

import io.elanus.wire.proto.common.KeyValuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Key-value lists of the wire.
///
/// Thread-safe: stateless.
final class Pairs {
  private Pairs() {}

  /// As a map; the last of a repeated key wins.
  static Map<String, String> map(List<KeyValuePair> pairs) {
    Map<String, String> map = new TreeMap<>();
    for (KeyValuePair pair : pairs) {
      map.put(pair.getKey(), pair.getValue());
    }
    return map;
  }

  static List<KeyValuePair> list(Map<String, String> map) {
    List<KeyValuePair> pairs = new ArrayList<>(map.size());
    map.forEach((key, value) -> pairs.add(pair(key, value)));
    return pairs;
  }

  static KeyValuePair pair(String key, String value) {
    return KeyValuePair.newBuilder().setKey(key).setValue(value).build();
  }
}
