package io.elanus.role.coord.schema;

import io.elanus.role.coord.broadcast.IdempotencyKey;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.MessageType;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DdlRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/// What makes a DDL run once under its client's idempotency key (rule B-41): the message type that
/// it is broadcast as, and the key, scoped to the object that it is about, with a digest of the
/// request.
///
/// | request | scope |
/// | --- | --- |
/// | databases | cluster |
/// | collections, aliases, partitions, loads | database |
/// | indexes | collection |
///
/// Immutable.
record Once(MessageType type, Map<String, String> properties) {

  /// Without properties when the client gave no key, or the scope's object doesn't exist: then the
  /// check fails or changes nothing.
  static Once of(Catalog catalog, CallContext context, DdlRequest request) {
    String key = context.idempotencyKey();
    return switch (request) {
      case DdlRequest.CreateDatabase _ -> inCluster(MessageType.CREATE_DATABASE, key, request);
      case DdlRequest.AlterDatabase _ -> inCluster(MessageType.ALTER_DATABASE, key, request);
      case DdlRequest.DropDatabase _ -> inCluster(MessageType.DROP_DATABASE, key, request);
      case DdlRequest.CreateCollection r ->
          inDatabase(MessageType.CREATE_COLLECTION, catalog, r.database(), key, request);
      case DdlRequest.DropCollection r ->
          inDatabase(MessageType.DROP_COLLECTION, catalog, r.database(), key, request);
      case DdlRequest.RenameCollection r ->
          inDatabase(MessageType.ALTER_COLLECTION, catalog, r.database(), key, request);
      case DdlRequest.AlterCollection r ->
          inDatabase(MessageType.ALTER_COLLECTION, catalog, r.database(), key, request);
      case DdlRequest.AlterField r ->
          inDatabase(MessageType.ALTER_COLLECTION, catalog, r.database(), key, request);
      case DdlRequest.AddField r ->
          inDatabase(MessageType.ALTER_COLLECTION, catalog, r.database(), key, request);
      case DdlRequest.CreatePartition r ->
          inDatabase(MessageType.CREATE_PARTITION, catalog, r.database(), key, request);
      case DdlRequest.DropPartition r ->
          inDatabase(MessageType.DROP_PARTITION, catalog, r.database(), key, request);
      case DdlRequest.CreateAlias r ->
          inDatabase(MessageType.ALTER_ALIAS, catalog, r.database(), key, request);
      case DdlRequest.AlterAlias r ->
          inDatabase(MessageType.ALTER_ALIAS, catalog, r.database(), key, request);
      case DdlRequest.DropAlias r ->
          inDatabase(MessageType.DROP_ALIAS, catalog, r.database(), key, request);
      case DdlRequest.Load r ->
          inDatabase(MessageType.ALTER_LOAD_CONFIG, catalog, r.database(), key, request);
      case DdlRequest.Release r ->
          inDatabase(MessageType.DROP_LOAD_CONFIG, catalog, r.database(), key, request);
      case DdlRequest.CreateIndex r ->
          inCollection(
              MessageType.CREATE_INDEX, catalog, r.database(), r.collection(), key, request);
      case DdlRequest.AlterIndex r ->
          inCollection(
              MessageType.ALTER_INDEX, catalog, r.database(), r.collection(), key, request);
      case DdlRequest.DropIndex r ->
          inCollection(MessageType.DROP_INDEX, catalog, r.database(), r.collection(), key, request);
    };
  }

  boolean isKeyed() {
    return !properties.isEmpty();
  }

  private static Once inCluster(MessageType type, String key, DdlRequest request) {
    return under(type, IdempotencyKey.inCluster(key), request);
  }

  private static Once inDatabase(
      MessageType type, Catalog catalog, String database, String key, DdlRequest request) {
    DatabaseMeta meta = catalog.database(database);
    return under(
        type,
        meta == null ? IdempotencyKey.NONE : IdempotencyKey.inDatabase(meta.id(), key),
        request);
  }

  private static Once inCollection(
      MessageType type,
      Catalog catalog,
      String database,
      String collection,
      String key,
      DdlRequest request) {
    DatabaseMeta owner = catalog.database(database);
    CollectionMeta meta = owner == null ? null : catalog.resolve(owner, collection);
    return under(
        type,
        meta == null ? IdempotencyKey.NONE : IdempotencyKey.inCollection(meta.id(), key),
        request);
  }

  private static Once under(MessageType type, IdempotencyKey key, DdlRequest request) {
    return new Once(
        type,
        key.isNone()
            ? Map.of()
            : Map.of(
                MessageHeader.IDEMPOTENCY_KEY,
                key.text(),
                MessageHeader.REQUEST_DIGEST,
                digest(request)));
  }

  /// Of the request's JSON, which is the same for equal requests.
  private static String digest(DdlRequest request) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(WireJson.write(request));
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
