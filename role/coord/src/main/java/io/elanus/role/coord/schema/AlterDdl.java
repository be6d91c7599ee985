package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.AddField;
import io.elanus.wire.service.DdlRequest.AlterCollection;
import io.elanus.wire.service.DdlRequest.AlterField;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/// Changes of a collection's properties and fields.
///
/// Thread-safe: checks run on the broadcaster's loop.
final class AlterDdl {
  private static final int MAX_FIELDS = 64;
  private static final String FIELD_DESCRIPTION = "field.description";
  private static final Set<String> FIELD_KEYS =
      Set.of("max_length", "max_capacity", "mmap.enabled", "mmap_enabled", "warmup");
  private static final Set<String> DELETABLE_FIELD_KEYS =
      Set.of("mmap.enabled", "mmap_enabled", "warmup");
  private static final Set<String> SYSTEM_FIELDS =
      Set.of("RowID", "Timestamp", "$meta", "$namespace_id");

  private final Catalog catalog;
  private final DdlRunner runner;

  AlterDdl(Catalog catalog, DdlRunner runner) {
    this.catalog = catalog;
    this.runner = runner;
  }

  private Plan alter(CollectionMeta before, CollectionMeta after, boolean schemaChanged) {
    return Plan.change(
        runner.toAll(new Message.AlterCollection(after, before.name(), schemaChanged), before));
  }

  private static void checkOneKindOfChange(Map<String, String> set, List<String> deleteKeys) {
    if (set.isEmpty() && deleteKeys.isEmpty()) {
      throw DbException.invalid("no properties or delete keys provided");
    }
    if (!set.isEmpty() && !deleteKeys.isEmpty()) {
      throw DbException.invalid("cannot provide both DeleteKeys and ExtraParams");
    }
  }

  CompletableFuture<DdlReply> collection(CallContext context, AlterCollection request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.name()),
        () -> checkCollection(request));
  }

  private Plan checkCollection(AlterCollection request) {
    checkOneKindOfChange(request.set(), request.deleteKeys());
    PropertyRules.checkTimezone(request.set());
    PropertyRules.checkTtl(request.set());
    CollectionMeta meta = catalog.require(request.database(), request.name());
    if (request.deleteKeys().contains(PropertyRules.DYNAMIC_FIELD)) {
      throw DbException.invalid(
          "cannot delete key "
              + PropertyRules.DYNAMIC_FIELD
              + ", dynamic field schema could support set to true/false");
    }
    if (request.set().containsKey(PropertyRules.DYNAMIC_FIELD)) {
      return checkDynamicField(meta, request.set());
    }
    if (catalog.load(meta.id()) != null) {
      PropertyRules.refuseWhileLoaded(meta, request.set(), request.deleteKeys());
    }
    PropertyRules.checkAutoId(meta, request.set());
    return changeProperties(meta, request);
  }

  private Plan changeProperties(CollectionMeta meta, AlterCollection request) {
    Map<String, String> properties = new TreeMap<>(meta.options().properties());
    CollectionSchema schema = meta.schema();
    ConsistencyLevel consistency = meta.options().consistency();
    for (Map.Entry<String, String> property : request.set().entrySet()) {
      String value = property.getValue();
      switch (property.getKey()) {
        case PropertyRules.DESCRIPTION -> schema = SchemaAssembler.withDescription(schema, value);
        case PropertyRules.CONSISTENCY -> {
          ConsistencyLevel level = PropertyRules.consistency(value);
          consistency = level == null ? consistency : level;
        }
        default -> properties.put(property.getKey(), value);
      }
    }
    request.deleteKeys().forEach(properties::remove);
    PropertyRules.refuseWithVectorIndex(meta, properties, catalog.indexes(meta.id()));
    CollectionMeta after =
        meta.withSchema(schema).withOptions(new CollectionMeta.Options(consistency, properties));
    return after.equals(meta) ? Plan.NOTHING : alter(meta, after, false);
  }

  private Plan checkDynamicField(CollectionMeta meta, Map<String, String> set) {
    String value = String.valueOf(set.get(PropertyRules.DYNAMIC_FIELD));
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw DbException.invalid("invalid dynamic schema property value: " + value);
    }
    if (set.size() != 1) {
      throw DbException.invalid(
          "cannot alter dynamic schema with other properties at the same time");
    }
    boolean wanted = Boolean.parseBoolean(value);
    if (meta.schema().dynamicFieldEnabled() == wanted) {
      return Plan.NOTHING;
    }
    if (!wanted) {
      throw DbException.invalid("dynamic schema cannot supported to be disabled");
    }
    // Rows written before have no dynamic part, so the field has to take nulls.
    FieldSchema field =
        SchemaAssembler.dynamicField(SchemaAssembler.nextFieldId(meta.schema()), true);
    return alter(meta, meta.withSchema(SchemaAssembler.withField(meta.schema(), field)), true);
  }

  CompletableFuture<DdlReply> field(CallContext context, AlterField request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkField(request));
  }

  private Plan checkField(AlterField request) {
    checkOneKindOfChange(request.set(), request.deleteKeys());
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    FieldSchema field = meta.schema().field(request.field());
    if (field == null) {
      throw DbException.invalid(
          "field " + request.field() + " does not exist in collection " + meta.name());
    }
    checkFieldKeys(meta, request);
    Map<String, String> params = new TreeMap<>(field.typeParams());
    String description = field.description();
    for (Map.Entry<String, String> property : request.set().entrySet()) {
      if (property.getKey().equals(FIELD_DESCRIPTION)) {
        description = property.getValue();
      } else {
        params.put(property.getKey(), property.getValue());
      }
    }
    request.deleteKeys().forEach(params::remove);
    FieldSchema after =
        new FieldSchema(
            field.id(),
            field.name(),
            description,
            field.type(),
            field.elementType(),
            field.flags(),
            params,
            field.defaultValue());
    return after.equals(field)
        ? Plan.NOTHING
        : alter(meta, meta.withSchema(SchemaAssembler.withChanged(meta.schema(), after)), true);
  }

  private void checkFieldKeys(CollectionMeta meta, AlterField request) {
    boolean loaded = catalog.load(meta.id()) != null;
    for (String key : request.set().keySet()) {
      if (!key.equals(FIELD_DESCRIPTION) && !FIELD_KEYS.contains(key)) {
        throw DbException.invalid(key + " does not allow update in collection field param");
      }
      if (loaded && key.startsWith("mmap")) {
        throw CatalogErrors.collectionLoaded(
            meta.name(), "can not alter collection field properties if collection loaded");
      }
      if (loaded && key.equals(PropertyRules.WARMUP)) {
        throw CatalogErrors.collectionLoaded(
            meta.name(), "can not alter warmup if collection loaded");
      }
    }
    for (String key : request.deleteKeys()) {
      if (!DELETABLE_FIELD_KEYS.contains(key)) {
        throw DbException.invalid(key + " is not allowed to drop in collection field param");
      }
      if (loaded) {
        throw CatalogErrors.collectionLoaded(
            meta.name(), "can not drop collection field properties if collection loaded");
      }
    }
  }

  CompletableFuture<DdlReply> addField(CallContext context, AddField request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkAddField(request));
  }

  private Plan checkAddField(AddField request) {
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    FieldSchema field = request.field();
    String name = field.name();
    if (meta.schema().fields().size() >= MAX_FIELDS) {
      throw DbException.invalid("The number of fields has reached the maximum value " + MAX_FIELDS);
    }
    if (SYSTEM_FIELDS.contains(name)) {
      throw DbException.invalid("not support to add system field, field name = " + name);
    }
    if (field.isPrimaryKey()) {
      throw DbException.invalid("not support to add pk field, field name = " + name);
    }
    if (field.isAutoId()) {
      throw DbException.invalid(
          "only primary field can speficy AutoID with true, field name = " + name);
    }
    if (field.flags().partitionKey()) {
      throw DbException.invalid("not support to add partition key field, field name  = " + name);
    }
    if (!field.isNullable()) {
      throw DbException.invalid(
          "added field must be nullable, please check it, field name = " + name);
    }
    if (field.type().isVector()
        && field.type() != DataType.SPARSE_FLOAT_VECTOR
        && field.dim() == 0) {
      throw DbException.invalid("vector field must have dimension specified, field name = " + name);
    }
    if (meta.schema().field(name) != null) {
      throw DbException.invalid("duplicate field name: " + name);
    }
    FieldSchema added = field.withId(new FieldId(SchemaAssembler.nextFieldId(meta.schema())));
    return alter(meta, meta.withSchema(SchemaAssembler.withField(meta.schema(), added)), true);
  }
}
