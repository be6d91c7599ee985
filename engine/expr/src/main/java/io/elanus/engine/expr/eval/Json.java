package io.elanus.engine.expr.eval;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/// Finds a place in a JSON text by streaming over its bytes, up to that place and no further.
///
/// Thread-safe: stateless.
final class Json {
  // Documents were accepted at insert with their own limits; reading one back must not refuse it.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .build();

  private Json() {}

  /// What is asked of the value at the place.
  interface Test {
    /// Judges the value that starts with `token`, the parser standing on it.
    boolean test(JsonParser parser, JsonToken token);

    /// The answer when there is no value at the place.
    boolean whenMissing();
  }

  /// Runs `test` on the value at `path` of the document `bytes[from .. to)`. Array steps are
  /// decimal indexes; the first of equal keys counts.
  static boolean ask(byte[] bytes, int from, int to, List<String> path, Test test) {
    if (from == to) {
      return test.whenMissing();
    }
    try (JsonParser parser =
        FACTORY.createParser(ObjectReadContext.empty(), bytes, from, to - from)) {
      JsonToken token = find(parser, path);
      return token == null ? test.whenMissing() : test.test(parser, token);
    } catch (JacksonException e) {
      throw DbException.of(
              ErrorCode.DATA_INTEGRITY, "stored JSON can't be parsed: " + e.getOriginalMessage())
          .causedBy(e);
    }
  }

  private static @Nullable JsonToken find(JsonParser parser, List<String> path) {
    JsonToken token = parser.nextToken();
    for (int step = 0; step < path.size(); step++) {
      String key = path.get(step);
      if (token == JsonToken.START_OBJECT) {
        token = findKey(parser, key);
      } else if (token == JsonToken.START_ARRAY) {
        token = findIndex(parser, key);
      } else {
        return null;
      }
    }
    return token;
  }

  private static @Nullable JsonToken findKey(JsonParser parser, String key) {
    while (true) {
      String name = parser.nextName();
      if (name == null) {
        return null;
      }
      JsonToken value = parser.nextToken();
      if (name.equals(key)) {
        return value;
      }
      parser.skipChildren();
    }
  }

  private static @Nullable JsonToken findIndex(JsonParser parser, String key) {
    int index = index(key);
    if (index < 0) {
      return null;
    }
    for (int i = 0; ; i++) {
      JsonToken value = parser.nextToken();
      if (value == null || value == JsonToken.END_ARRAY) {
        return null;
      }
      if (i == index) {
        return value;
      }
      parser.skipChildren();
    }
  }

  /// The index a path step names, -1 when it is no index.
  private static int index(String key) {
    int length = key.length();
    if (length == 0 || length > 9 || (length > 1 && key.charAt(0) == '0')) {
      return -1;
    }
    int index = 0;
    for (int i = 0; i < length; i++) {
      int digit = key.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      index = index * 10 + digit;
    }
    return index;
  }
}
