package io.elanus.wire.service;

import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.FieldSchema;
import java.util.List;
import java.util.Map;

/// A change of the catalog, checked in form by the proxy and against the catalog by the
/// coordinator. Names may be aliases where the contract says so.
///
/// Immutable.
public sealed interface DdlRequest {
  record CreateDatabase(String name, Map<String, String> properties) implements DdlRequest {}

  /// `set` and `deleteKeys` are not both filled.
  record AlterDatabase(String name, Map<String, String> set, List<String> deleteKeys)
      implements DdlRequest {}

  record DropDatabase(String name) implements DdlRequest {}

  /// Field ids in `schema` are ignored and assigned by the coordinator. `partitions` is 0 without a
  /// partition key.
  record CreateCollection(
      String database, CollectionSchema schema, int shards, int partitions, Options options)
      implements DdlRequest {
    public record Options(ConsistencyLevel consistency, Map<String, String> properties) {}
  }

  record DropCollection(String database, String name) implements DdlRequest {}

  record RenameCollection(String database, String name, String newDatabase, String newName)
      implements DdlRequest {}

  record AlterCollection(
      String database, String name, Map<String, String> set, List<String> deleteKeys)
      implements DdlRequest {}

  record AlterField(
      String database,
      String collection,
      String field,
      Map<String, String> set,
      List<String> deleteKeys)
      implements DdlRequest {}

  record AddField(String database, String collection, FieldSchema field) implements DdlRequest {}

  record CreatePartition(String database, String collection, String partition)
      implements DdlRequest {}

  record DropPartition(String database, String collection, String partition)
      implements DdlRequest {}

  record CreateAlias(String database, String collection, String alias) implements DdlRequest {}

  record AlterAlias(String database, String collection, String alias) implements DdlRequest {}

  record DropAlias(String database, String alias) implements DdlRequest {}

  /// `userParams` as given by the client, flattened; `buildParams` after AUTOINDEX and defaults,
  /// made by the proxy. An empty `indexName` means the default name.
  record CreateIndex(
      String database,
      String collection,
      String field,
      String indexName,
      Map<String, String> userParams,
      Map<String, String> buildParams)
      implements DdlRequest {}

  record AlterIndex(
      String database,
      String collection,
      String indexName,
      Map<String, String> set,
      List<String> deleteKeys)
      implements DdlRequest {}

  record DropIndex(String database, String collection, String indexName) implements DdlRequest {}

  /// Empty `partitions` means the whole collection; `replicas` 0 means the default.
  record Load(
      String database,
      String collection,
      List<String> partitions,
      int replicas,
      List<String> fields)
      implements DdlRequest {}

  /// Empty `partitions` means the whole collection.
  record Release(String database, String collection, List<String> partitions)
      implements DdlRequest {}
}
