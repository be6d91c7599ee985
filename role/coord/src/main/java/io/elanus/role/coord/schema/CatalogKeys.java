package io.elanus.role.coord.schema;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.IndexId;

/// Keys of the catalog in the metadata store; every value is the JSON of its record.
///
/// | key | value |
/// | --- | --- |
/// | `catalog/database/<database id>` | DatabaseMeta |
/// | `catalog/collection/<collection id>` | CollectionMeta, partitions included |
/// | `catalog/start/<collection id>` | where each VChannel begins |
/// | `catalog/alias/<database id>/<alias>` | AliasMeta |
/// | `catalog/index/<collection id>/<index id>` | IndexMeta |
/// | `catalog/load/<collection id>` | LoadMeta |
///
/// Thread-safe: stateless.
final class CatalogKeys {
  static final String ROOT = "catalog/";
  static final String DATABASES = ROOT + "database/";
  static final String COLLECTIONS = ROOT + "collection/";
  static final String STARTS = ROOT + "start/";
  static final String ALIASES = ROOT + "alias/";
  static final String INDEXES = ROOT + "index/";
  static final String LOADS = ROOT + "load/";

  private CatalogKeys() {}

  static String database(DatabaseId id) {
    return DATABASES + id.value();
  }

  static String collection(CollectionId id) {
    return COLLECTIONS + id.value();
  }

  static String starts(CollectionId id) {
    return STARTS + id.value();
  }

  /// Prefix of all aliases of a database.
  static String aliases(DatabaseId database) {
    return ALIASES + database.value() + "/";
  }

  static String alias(DatabaseId database, String alias) {
    return aliases(database) + alias;
  }

  /// Prefix of all indexes of a collection.
  static String indexes(CollectionId collection) {
    return INDEXES + collection.value() + "/";
  }

  static String index(CollectionId collection, IndexId id) {
    return indexes(collection) + id.value();
  }

  static String load(CollectionId id) {
    return LOADS + id.value();
  }
}
