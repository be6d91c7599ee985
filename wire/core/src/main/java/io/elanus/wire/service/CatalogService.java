package io.elanus.wire.service;

import io.elanus.base.id.CollectionId;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.meta.AliasMeta;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// DDL and catalog look-ups of the active coordinator.
///
/// Thread-safe.
public interface CatalogService {
  /// Runs one DDL to its end: when the future completes, every proxy's cache has been invalidated.
  CompletableFuture<DdlReply> ddl(CallContext context, DdlRequest request);

  /// A collection by name, alias or id; 800 when the database, 100 when the collection is missing.
  CompletableFuture<CollectionView> collection(CallContext context, FindCollection request);

  /// All collections of a database, ordered by name; 800 when it is missing.
  CompletableFuture<CollectionList> collections(CallContext context, ListCollections request);

  CompletableFuture<DatabaseList> databases(CallContext context, ListDatabases request);

  /// 1600 when missing.
  CompletableFuture<AliasView> alias(CallContext context, FindAlias request);

  /// The aliases of a database, or of one collection.
  CompletableFuture<AliasList> aliases(CallContext context, ListAliases request);

  /// `effectiveTs` is the largest tick of the broadcast, or a fresh timestamp when nothing changed.
  record DdlReply(HybridTs effectiveTs) {}

  /// Give `name`, or `id` (then the database is not looked at).
  record FindCollection(String database, @Nullable String name, @Nullable CollectionId id) {
    public static FindCollection byName(String database, String name) {
      return new FindCollection(database, name, null);
    }

    public static FindCollection byId(CollectionId id) {
      return new FindCollection("", null, id);
    }
  }

  record CollectionView(CollectionMeta meta, List<String> aliases) {
    public CollectionView {
      aliases = List.copyOf(aliases);
    }
  }

  record ListCollections(String database) {}

  record CollectionList(List<CollectionView> collections) {}

  record ListDatabases() {}

  record DatabaseList(List<DatabaseMeta> databases) {}

  record FindAlias(String database, String alias) {}

  record AliasView(AliasMeta alias, String collectionName) {}

  record ListAliases(String database, @Nullable String collection) {}

  record AliasList(List<AliasView> aliases) {}
}
