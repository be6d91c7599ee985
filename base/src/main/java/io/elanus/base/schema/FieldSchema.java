package io.elanus.base.schema;

import io.elanus.base.id.FieldId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One field of a collection. Parameters keep the client's text (`dim`, `max_length`,
/// `max_capacity`, `mmap.enabled` ...).
///
/// Immutable.
public record FieldSchema(
    FieldId id,
    String name,
    String description,
    DataType type,
    @Nullable DataType elementType,
    Flags flags,
    Map<String, String> typeParams,
    @Nullable DefaultValue defaultValue) {

  /// What a field is in its collection.
  public record Flags(
      boolean primaryKey,
      boolean autoId,
      boolean partitionKey,
      boolean clusteringKey,
      boolean dynamic,
      boolean nullable,
      boolean functionOutput) {
    public static final Flags NONE = new Flags(false, false, false, false, false, false, false);
  }

  /// A default value in its wire form: exactly the member that fits the type is meaningful.
  public sealed interface DefaultValue {
    record Bool(boolean value) implements DefaultValue {}

    record Whole(long value) implements DefaultValue {}

    record Real(double value) implements DefaultValue {}

    record Text(String value) implements DefaultValue {}
  }

  public FieldSchema {
    typeParams = java.util.Collections.unmodifiableMap(new TreeMap<>(typeParams));
  }

  public boolean isPrimaryKey() {
    return flags.primaryKey();
  }

  public boolean isAutoId() {
    return flags.autoId();
  }

  public boolean isDynamic() {
    return flags.dynamic();
  }

  public boolean isNullable() {
    return flags.nullable();
  }

  /// Dimension of a vector field; 0 for other types.
  public int dim() {
    String dim = typeParams.get("dim");
    return dim == null ? 0 : Integer.parseInt(dim);
  }

  /// `max_length` in bytes of a VARCHAR field (or VARCHAR elements); `Integer.MAX_VALUE` when
  /// unset.
  public int maxLengthBytes() {
    String length = typeParams.get("max_length");
    return length == null ? Integer.MAX_VALUE : Integer.parseInt(length);
  }

  public FieldSchema withId(FieldId newId) {
    return new FieldSchema(
        newId, name, description, type, elementType, flags, typeParams, defaultValue);
  }

  public FieldSchema withTypeParams(Map<String, String> newParams) {
    return new FieldSchema(
        id, name, description, type, elementType, flags, newParams, defaultValue);
  }

  public FieldSchema withFlags(Flags newFlags) {
    return new FieldSchema(
        id, name, description, type, elementType, newFlags, typeParams, defaultValue);
  }

  /// A field with no parameters and no flags.
  public static FieldSchema of(long id, String name, DataType type) {
    return new FieldSchema(new FieldId(id), name, "", type, null, Flags.NONE, Map.of(), null);
  }
}
