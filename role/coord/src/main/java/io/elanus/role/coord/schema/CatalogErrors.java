package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.Collection;

/// The catalog's answers to callers' mistakes, in the contract's shape (errors.md, section 5).
///
/// Thread-safe: stateless.
final class CatalogErrors {
  private CatalogErrors() {}

  static DbException databaseNotFound(String database) {
    return DbException.withFields(ErrorCode.DATABASE_NOT_FOUND, "database", database).asInput();
  }

  static DbException collectionNotFound(String database, Object collection) {
    return DbException.withFields(
            ErrorCode.COLLECTION_NOT_FOUND, "database", database, "collection", collection)
        .asInput();
  }

  static DbException partitionNotFound(String partition) {
    return DbException.withFields(ErrorCode.PARTITION_NOT_FOUND, "partition", partition).asInput();
  }

  static DbException aliasNotFound(String database, String alias) {
    return DbException.withFields(ErrorCode.ALIAS_NOT_FOUND, "database", database, "alias", alias)
        .asInput();
  }

  static DbException aliasConflict(String database, String name) {
    return DbException.withFields(
        ErrorCode.ALIAS_COLLECTION_NAME_CONFLICT, "database", database, "alias", name);
  }

  static DbException aliasTaken(String database, String alias, String collection) {
    return DbException.withFields(
            ErrorCode.ALIAS_ALREADY_EXIST, "database", database, "alias", alias)
        .inContext(alias + " is alias to another collection: " + collection);
  }

  static DbException collectionLoaded(String collection, String message) {
    return DbException.withFields(ErrorCode.COLLECTION_LOADED, "collection", collection)
        .inContext(message);
  }

  static DbException noSuchIndex(String indexName) {
    return DbException.withFields(ErrorCode.INDEX_NOT_FOUND, "indexName", indexName);
  }

  static DbException noIndexOn(String collection) {
    return DbException.withFields(ErrorCode.INDEX_NOT_FOUND, "collection", collection);
  }

  /// Names in the form in which the contract prints lists: `[a b]`.
  static String list(Collection<String> names) {
    return "[" + String.join(" ", names) + "]";
  }
}
