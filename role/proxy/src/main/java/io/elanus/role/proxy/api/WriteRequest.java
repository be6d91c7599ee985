package io.elanus.role.proxy.api;

import java.util.List;
import java.util.Map;

/// Writes as clients ask for them. `partition` is empty for the default one. `schemaTimestamp` is
/// the `updateTs` of the schema the client used, 0 when it sent none (else error 109 on a
/// mismatch).
///
/// Immutable.
public sealed interface WriteRequest {
  String database();

  String collection();

  /// `rowCount` is what the client claims; every column is checked against it.
  record Insert(
      String database,
      String collection,
      String partition,
      List<NamedColumn> columns,
      int rowCount,
      long schemaTimestamp)
      implements WriteRequest {}

  /// With `partial`, columns that are not named keep their stored values.
  record Upsert(
      String database,
      String collection,
      String partition,
      List<NamedColumn> columns,
      int rowCount,
      Options options)
      implements WriteRequest {
    public record Options(long schemaTimestamp, boolean partial) {}
  }

  record Delete(
      String database,
      String collection,
      String partition,
      String expression,
      Map<String, TemplateArgument> templates)
      implements WriteRequest {}
}
