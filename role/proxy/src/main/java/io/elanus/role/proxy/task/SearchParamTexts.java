package io.elanus.role.proxy.task;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.elanus.base.error.DbException;
import io.elanus.role.proxy.check.JsonText;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `params` JSON of searches, parsed once per text: clients send the same few again and again.
///
/// Thread-safe: by the cache.
final class SearchParamTexts {
  private static final int MAX_CACHED_CHARS = 1024;

  private final Cache<String, Map<String, String>> parsed =
      Caffeine.newBuilder().maximumSize(512).executor(Runnable::run).build();

  /// Members of the object as JSON texts; empty for an empty text. Error 1100 when it is no object.
  Map<String, String> members(String json) {
    if (json.isBlank() || json.equals("{}")) {
      return Map.of();
    }
    Map<String, String> known = parsed.getIfPresent(json);
    if (known != null) {
      return known;
    }
    @Nullable Map<String, String> members = JsonText.members(json);
    if (members == null) {
      throw DbException.invalid(
          "failed to create query plan: search params in wrong format: " + json);
    }
    Map<String, String> frozen = Collections.unmodifiableMap(members);
    if (json.length() <= MAX_CACHED_CHARS) {
      parsed.put(json, frozen);
    }
    return frozen;
  }
}
