package io.elanus.wire.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The answer to an [HttpCall].
///
/// Immutable; nobody may write `body` any more.
public record HttpReply(int status, String contentType, Map<String, String> headers, byte[] body) {
  public static HttpReply json(int status, byte[] body) {
    return new HttpReply(status, "application/json; charset=utf-8", Map.of(), body);
  }

  public static HttpReply text(int status, String body) {
    return new HttpReply(
        status, "text/plain; charset=utf-8", Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }

  public static HttpReply html(String body) {
    return new HttpReply(
        200, "text/html; charset=utf-8", Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }
}
