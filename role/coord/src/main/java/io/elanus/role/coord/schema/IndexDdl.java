package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.AlterIndex;
import io.elanus.wire.service.DdlRequest.CreateIndex;
import io.elanus.wire.service.DdlRequest.DropIndex;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Index definitions: one a field, save JSON fields, which have one a path (indexes.md, sections 1,
/// 5 and 6).
///
/// Thread-safe: checks run on the broadcaster's loop.
final class IndexDdl {
  private static final String JSON_PATH = "json_path";

  /// Properties that AlterIndex may change and that duplicates are not told apart by.
  private static final Set<String> CHANGEABLE =
      Set.of("mmap.enabled", "indexoffsetcache.enabled", "warmup");

  private final Catalog catalog;
  private final DdlRunner runner;

  IndexDdl(Catalog catalog, DdlRunner runner) {
    this.catalog = catalog;
    this.runner = runner;
  }

  CompletableFuture<DdlReply> create(CallContext context, CreateIndex request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkCreate(request));
  }

  private Plan checkCreate(CreateIndex request) {
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    FieldSchema field = fieldOf(meta, request);
    String path = pathOf(field, request.buildParams());
    List<IndexMeta> existing = catalog.indexes(meta.id());
    String name = request.indexName();
    if (name.isEmpty()) {
      name = defaultName(existing, field, path);
    }
    for (IndexMeta index : existing) {
      boolean sameField = index.fieldId().equals(field.id());
      boolean samePath = pathOf(field, index.buildParams()).equals(path);
      if (index.name().equals(name)) {
        if (sameField && samePath && sameParams(index.userParams(), request.userParams())) {
          return Plan.NOTHING;
        }
        throw DbException.invalid("at most one distinct index is allowed per field");
      }
      if (sameField && samePath) {
        throw DbException.invalid(
            "CreateIndex failed: creating multiple indexes on same field is not supported");
      }
    }
    String indexName = name;
    FieldId fieldId = field.id();
    return Plan.change(
        1,
        id ->
            runner.toControl(
                new Message.CreateIndex(
                    new IndexMeta(
                        new IndexId(id),
                        meta.id(),
                        fieldId,
                        indexName,
                        request.userParams(),
                        request.buildParams(),
                        HybridTs.ZERO))));
  }

  /// The field, or the dynamic one when the name is a key in it.
  private static FieldSchema fieldOf(CollectionMeta meta, CreateIndex request) {
    FieldSchema field = meta.schema().field(request.field());
    if (field == null && request.buildParams().containsKey(JSON_PATH)) {
      field = meta.schema().dynamicField();
    }
    if (field == null) {
      throw DbException.invalid("cannot create index on non-exist field: " + request.field());
    }
    return field;
  }

  /// The JSON path of an index, empty for other fields.
  private static String pathOf(FieldSchema field, Map<String, String> params) {
    return field.type() == DataType.JSON ? params.getOrDefault(JSON_PATH, "") : "";
  }

  private static String defaultName(List<IndexMeta> existing, FieldSchema field, String path) {
    for (IndexMeta index : existing) {
      if (index.fieldId().equals(field.id()) && pathOf(field, index.buildParams()).equals(path)) {
        return index.name();
      }
    }
    return field.isDynamic() && path.startsWith("/") ? path.substring(1) : field.name() + path;
  }

  private static boolean sameParams(Map<String, String> a, Map<String, String> b) {
    return distinguishing(a).equals(distinguishing(b));
  }

  private static Map<String, String> distinguishing(Map<String, String> params) {
    Map<String, String> rest = new TreeMap<>(params);
    rest.keySet().removeAll(CHANGEABLE);
    return rest;
  }

  CompletableFuture<DdlReply> alter(CallContext context, AlterIndex request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkAlter(request));
  }

  private Plan checkAlter(AlterIndex request) {
    if (request.indexName().isEmpty()) {
      throw DbException.invalid("index name is empty");
    }
    if (!request.set().isEmpty() && !request.deleteKeys().isEmpty()) {
      throw DbException.invalid("cannot provide both DeleteKeys and ExtraParams");
    }
    refuseOthers(request.set().keySet());
    refuseOthers(request.deleteKeys());
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    IndexMeta before = find(meta, request.indexName());
    if (before == null) {
      throw CatalogErrors.noSuchIndex(request.indexName());
    }
    if (catalog.load(meta.id()) != null) {
      throw CatalogErrors.collectionLoaded(
          meta.name(),
          "can't alter index on loaded collection, please release the collection first");
    }
    IndexMeta after =
        new IndexMeta(
            before.id(),
            before.collectionId(),
            before.fieldId(),
            before.name(),
            changed(before.userParams(), request),
            changed(before.buildParams(), request),
            before.createdTs());
    return after.equals(before)
        ? Plan.NOTHING
        : Plan.change(runner.toControl(new Message.AlterIndex(after)));
  }

  private static void refuseOthers(Iterable<String> keys) {
    for (String key : keys) {
      if (!CHANGEABLE.contains(key)) {
        throw DbException.invalid(key + " is not a configable index property");
      }
    }
  }

  private static Map<String, String> changed(Map<String, String> params, AlterIndex request) {
    Map<String, String> result = new TreeMap<>(params);
    result.putAll(request.set());
    request.deleteKeys().forEach(result::remove);
    return result;
  }

  private @Nullable IndexMeta find(CollectionMeta meta, String name) {
    for (IndexMeta index : catalog.indexes(meta.id())) {
      if (index.name().equals(name)) {
        return index;
      }
    }
    return null;
  }

  CompletableFuture<DdlReply> drop(CallContext context, DropIndex request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkDrop(request));
  }

  private Plan checkDrop(DropIndex request) {
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    String name = request.indexName();
    List<IndexMeta> wanted =
        catalog.indexes(meta.id()).stream()
            .filter(index -> name.isEmpty() || index.name().equals(name))
            .toList();
    if (wanted.isEmpty()) {
      return Plan.NOTHING;
    }
    if (catalog.load(meta.id()) != null) {
      for (IndexMeta index : wanted) {
        FieldSchema field = meta.schema().field(index.fieldId());
        if (field != null && field.type().isVector()) {
          throw DbException.invalid(
              "vector index cannot be dropped on loaded collection: " + meta.id());
        }
      }
    }
    if (wanted.size() > 1) {
      throw DbException.withFields(ErrorCode.INDEX_DUPLICATE, "indexName", name);
    }
    List<IndexId> ids = wanted.stream().map(IndexMeta::id).toList();
    return Plan.change(runner.toControl(new Message.DropIndex(meta.id(), ids)));
  }
}
