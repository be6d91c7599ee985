package io.elanus.role.proxy.api;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.time.HybridTs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hits of all queries one after another, best first; query `i` has `counts[i]`. `fields` are
/// aligned with `keys`. `sessionTs` is the read timestamp of an iterator's first page, zero
/// otherwise.
///
/// Immutable.
public record SearchReply(
    String collection,
    int[] counts,
    PrimaryKeys keys,
    float[] scores,
    Fields fields,
    long searchedRows,
    Paging paging) {

  /// Output columns, the names the client asked for, the primary key's name, and the most hits that
  /// one query could get.
  public record Fields(
      List<NamedColumn> columns, List<String> outputNames, String primaryField, int topK) {}

  /// `token` and `lastBound` only for iterator v2.
  public record Paging(HybridTs sessionTs, @Nullable String token, float lastBound) {}
}
