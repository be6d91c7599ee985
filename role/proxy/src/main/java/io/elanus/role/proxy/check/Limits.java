package io.elanus.role.proxy.check;

import io.elanus.base.error.DbException;

/// Ranges of `nq`, `topk`, `offset` and their sum (limits contract, section 3).
///
/// Immutable.
public record Limits(long maxNq, long maxTopK, long maxWindow) {
  private static final Limits LARGE = new Limits(16384, 1_000_000, 1_000_000);

  /// The limits of a collection whose `query_mode` is `large_topk`.
  public Limits large() {
    return new Limits(maxNq, LARGE.maxTopK, LARGE.maxWindow);
  }

  public void checkNq(long nq) {
    if (nq <= 0 || nq > maxNq) {
      String inner =
          "nq (number of search vector per search request) should be in range [1, "
              + maxNq
              + "], but got "
              + nq
              + ": invalid parameter";
      throw DbException.invalid("nq [" + nq + "] is invalid, " + inner);
    }
  }

  public boolean isTopKFine(long topK) {
    return topK > 0 && topK <= maxTopK;
  }

  /// `what` names the parameter: `topk`, `offset`, `offset+topk`.
  public void checkTopK(String what, long value) {
    if (!isTopKFine(value)) {
      throw DbException.invalid(what + " [" + value + "] is invalid, " + topKFault(value));
    }
  }

  public String topKFault(long value) {
    return "it should be in range [1, " + maxTopK + "], but got " + value + ": invalid parameter";
  }

  /// Limit and offset of a query or a hybrid search.
  public void checkWindow(long offset, long limit) {
    String fault = null;
    if (offset < 0) {
      fault = "offset [" + offset + "] is invalid, should be gte than 0";
    } else if (limit <= 0) {
      fault = "limit [" + limit + "] is invalid, should be greater than 0";
    } else if (offset + limit <= 0 || offset + limit > maxWindow) {
      fault =
          "(offset+limit) should be in range [1, " + maxWindow + "], but got " + (offset + limit);
    }
    if (fault != null) {
      throw DbException.invalid(
          "invalid max query result window, " + fault + ": invalid parameter");
    }
  }
}
