package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.MetricType;
import io.elanus.role.proxy.check.Limits;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Iterator v2 of a search: batches of hits, each beyond the score at which the one before ended.
///
/// The bound is turned into a range search, so that shards need no state: with a smaller-is-better
/// metric the next batch has `score > bound`, otherwise `score < bound`.
///
/// Immutable.
record SearchIterator(String token, int batchSize, @Nullable Float lastBound) {

  /// Null when the request asks for none.
  static @Nullable SearchIterator read(
      Map<String, String> params, boolean iterator, long offset, Limits limits, Rng rng) {
    if (!Params.flag(params, "search_iter_v2")) {
      return null;
    }
    String context = "parse iterator v2 info failed: ";
    if (!iterator) {
      throw missing(context + "both iterator and search_iter_v2 must be set in the SDK");
    }
    if (offset > 0) {
      throw DbException.invalid(
          context + "Setting an offset is not permitted when using a search iterator v2");
    }
    String token = Params.text(params, "search_iter_id");
    if (token.isEmpty()) {
      token = newToken(rng);
    } else if (!isToken(token)) {
      throw DbException.invalid(context + "invalid token format: invalid parameter");
    }
    String batchText = Params.text(params, "search_iter_batch_size");
    if (batchText.isEmpty()) {
      throw missing(context + "batch size is required");
    }
    Long batch = Params.tryNumber(batchText);
    if (batch == null) {
      throw DbException.invalid(context + "batch size is invalid, " + batchText);
    }
    if (!limits.isTopKFine(batch)) {
      throw DbException.invalid(context + "batch size is invalid, " + limits.topKFault(batch));
    }
    String boundText = Params.text(params, "search_iter_last_bound");
    Float bound = null;
    if (!boundText.isEmpty()) {
      try {
        bound = Float.parseFloat(boundText);
      } catch (NumberFormatException e) {
        throw DbException.invalid(context + "failed to parse input last bound, " + boundText)
            .causedBy(e);
      }
    }
    return new SearchIterator(token, batch.intValue(), bound);
  }

  private static DbException missing(String message) {
    return DbException.of(ErrorCode.PARAMETER_MISSING, message);
  }

  private static String newToken(Rng rng) {
    long high = (rng.nextLong() & ~0xF000L) | 0x4000L;
    long low = (rng.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }

  private static boolean isToken(String text) {
    try {
      UUID unused = UUID.fromString(text);
      return text.length() == 36 && unused.version() >= 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// `params` with the range that begins behind the last batch.
  Map<String, String> bounded(Map<String, String> params, MetricType metric) {
    if (lastBound == null) {
      return params;
    }
    boolean larger = metric.isLargerBetter();
    Map<String, String> bounded = new TreeMap<>(params);
    float inner = larger ? Math.nextDown(lastBound) : Math.nextUp(lastBound);
    Float given = number(params.get("range_filter"));
    if (given != null) {
      inner = larger ? Math.min(inner, given) : Math.max(inner, given);
    }
    bounded.put("range_filter", Float.toString(inner));
    bounded.putIfAbsent("radius", Float.toString(larger ? -Float.MAX_VALUE : Float.MAX_VALUE));
    return bounded;
  }

  private static @Nullable Float number(@Nullable String json) {
    if (json == null) {
      return null;
    }
    try {
      return Float.parseFloat(json.replace("\"", ""));
    } catch (NumberFormatException e) {
      return null; // The shards refuse it with the documented text.
    }
  }

  /// The bound to answer with: the score of the last hit, or where the search stands already.
  float boundAfter(float[] scores, MetricType metric) {
    if (scores.length > 0) {
      return scores[scores.length - 1];
    }
    if (lastBound != null) {
      return lastBound;
    }
    return metric.isLargerBetter() ? Float.MAX_VALUE : -Float.MAX_VALUE;
  }
}
