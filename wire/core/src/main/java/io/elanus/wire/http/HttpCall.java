package io.elanus.wire.http;

import io.elanus.wire.service.CallContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One HTTP request, body complete. Header names are lower case; `query` holds the decoded query
/// parameters (the last of a name wins).
///
/// `body` is owned by the receiver. Immutable otherwise.
public record HttpCall(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body,
    CallContext context) {

  /// The header of this lower-case name, or null.
  public @Nullable String header(String name) {
    return headers.get(name);
  }
}
