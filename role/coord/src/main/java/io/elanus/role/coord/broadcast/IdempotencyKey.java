package io.elanus.role.coord.broadcast;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;

/// A client's key of one request, scoped to the object that the request is about (rule B-20). Text:
/// `<domain>:<scopeId>:<clientKey>`; the client key is the unbounded rest and may hold colons.
///
/// Whoever gives a broadcast a key must hold the exclusive lock that covers the scoped object, and
/// has to check limits that count the original before: they may refuse a retry, which the client
/// repeats with the same key later. A failed original keeps answering within the window.
///
/// Immutable.
public final class IdempotencyKey {
  /// Not idempotent.
  public static final IdempotencyKey NONE = new IdempotencyKey("");

  private static final int CLUSTER = 1;
  private static final int DATABASE = 2;
  private static final int COLLECTION = 3;

  private final String text;

  private IdempotencyKey(String text) {
    this.text = text;
  }

  private static IdempotencyKey scoped(int domain, long scopeId, String clientKey) {
    return clientKey.isEmpty()
        ? NONE
        : new IdempotencyKey(domain + ":" + scopeId + ":" + clientKey);
  }

  /// Unique in the cluster; an empty `clientKey` gives [#NONE], here and below.
  public static IdempotencyKey inCluster(String clientKey) {
    return scoped(CLUSTER, 0, clientKey);
  }

  public static IdempotencyKey inDatabase(DatabaseId database, String clientKey) {
    return scoped(DATABASE, database.value(), clientKey);
  }

  public static IdempotencyKey inCollection(CollectionId collection, String clientKey) {
    return scoped(COLLECTION, collection.value(), clientKey);
  }

  public boolean isNone() {
    return text.isEmpty();
  }

  /// The stored form; empty for [#NONE].
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
