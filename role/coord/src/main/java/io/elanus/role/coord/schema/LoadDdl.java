package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.DatabaseMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.CatalogService.DdlReply;
import io.elanus.wire.service.DdlRequest.Load;
import io.elanus.wire.service.DdlRequest.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What is to be loaded (rpcs.md, section 4). Loading itself goes on after the DDL has answered.
///
/// Thread-safe: checks run on the broadcaster's loop.
final class LoadDdl {
  private static final String COLLECTION_REPLICAS = "collection.replica.number";
  private static final String DATABASE_REPLICAS = "database.replica.number";

  private final Catalog catalog;
  private final DdlRunner runner;

  LoadDdl(Catalog catalog, DdlRunner runner) {
    this.catalog = catalog;
    this.runner = runner;
  }

  CompletableFuture<DdlReply> load(CallContext context, Load request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkLoad(request));
  }

  private Plan checkLoad(Load request) {
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    boolean whole = request.partitions().isEmpty();
    if (!whole) {
      PartitionDdl.refuseWithPartitionKey(meta, "load partitions");
    }
    List<PartitionId> named = partitionsOf(meta, request.partitions());
    List<FieldId> fields = fieldsOf(meta, request.fields());
    checkIndexes(meta, fields);
    LoadMeta current = catalog.load(meta.id());
    int replicas = replicasOf(request, meta, current);
    if (!whole && current != null && replicas != current.replicas()) {
      throw DbException.invalid("can't change the replica number for loaded partitions");
    }
    Set<PartitionId> wanted = new TreeSet<>(named);
    if (!whole && current != null) {
      wanted.addAll(current.partitions());
    }
    LoadMeta after =
        new LoadMeta(
            meta.id(),
            whole || (current != null && current.wholeCollection()),
            whole ? meta.partitions().stream().map(PartitionMeta::id).toList() : inOrder(wanted),
            fields,
            replicas,
            current == null ? HybridTs.ZERO : current.createdTs());
    return after.equals(current)
        ? Plan.NOTHING
        : Plan.change(runner.toControl(new Message.AlterLoadConfig(after)));
  }

  private static List<PartitionId> inOrder(Set<PartitionId> ids) {
    return List.copyOf(new TreeSet<>(ids));
  }

  private static List<PartitionId> partitionsOf(CollectionMeta meta, List<String> names) {
    List<PartitionId> ids = new ArrayList<>(names.size());
    for (String name : names) {
      PartitionMeta partition = meta.partition(name);
      if (partition == null) {
        throw CatalogErrors.partitionNotFound(name);
      }
      ids.add(partition.id());
    }
    return ids;
  }

  /// Empty for all fields; otherwise what a read can't do without must be among them.
  private static List<FieldId> fieldsOf(CollectionMeta meta, List<String> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    Set<FieldId> ids = new TreeSet<>();
    boolean vector = false;
    for (String name : names) {
      FieldSchema field = meta.schema().field(name);
      if (field == null) {
        throw DbException.invalid("field " + name + " not exist");
      }
      ids.add(field.id());
      vector |= field.type().isVector();
    }
    String list = "load field list " + CatalogErrors.list(names) + " does not contain ";
    for (FieldSchema field : meta.schema().fields()) {
      String role = roleOf(field);
      if (role != null && !ids.contains(field.id())) {
        throw DbException.invalid(list + role + " field " + field.name());
      }
    }
    if (!vector) {
      throw DbException.invalid(list + "vector field");
    }
    return List.copyOf(ids);
  }

  private static @Nullable String roleOf(FieldSchema field) {
    if (field.isPrimaryKey()) {
      return "primary key";
    }
    if (field.flags().partitionKey()) {
      return "partition key";
    }
    return field.flags().clusteringKey() ? "clustering key" : null;
  }

  private void checkIndexes(CollectionMeta meta, List<FieldId> fields) {
    List<IndexMeta> indexes = catalog.indexes(meta.id());
    if (indexes.isEmpty()) {
      throw CatalogErrors.noIndexOn(meta.name());
    }
    List<String> bare = new ArrayList<>();
    for (FieldSchema field : meta.schema().vectorFields()) {
      boolean wanted = fields.isEmpty() || fields.contains(field.id());
      if (wanted && indexes.stream().noneMatch(index -> index.fieldId().equals(field.id()))) {
        bare.add(field.name());
      }
    }
    if (!bare.isEmpty()) {
      throw DbException.invalid(
          "there is no vector index on field: "
              + CatalogErrors.list(bare)
              + ", please create index firstly");
    }
  }

  /// As asked for; else as loaded; else by the collection's property, the database's, then 1.
  private int replicasOf(Load request, CollectionMeta meta, @Nullable LoadMeta current) {
    if (request.replicas() > 0) {
      return request.replicas();
    }
    if (current != null) {
      return current.replicas();
    }
    DatabaseMeta database = catalog.database(meta.owner().databaseName());
    String own = meta.options().properties().get(COLLECTION_REPLICAS);
    String standard = database == null ? null : database.properties().get(DATABASE_REPLICAS);
    String text = own != null ? own : standard;
    try {
      return text == null ? 1 : Math.max(1, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return 1; // Such a property is stored and echoed but says nothing.
    }
  }

  CompletableFuture<DdlReply> release(CallContext context, Release request) {
    return runner.run(
        context,
        request,
        () -> PartitionDdl.keys(catalog, request.database(), request.collection()),
        () -> checkRelease(request));
  }

  private Plan checkRelease(Release request) {
    CollectionMeta meta = catalog.require(request.database(), request.collection());
    boolean whole = request.partitions().isEmpty();
    if (!whole) {
      PartitionDdl.refuseWithPartitionKey(meta, "release partitions");
    }
    List<PartitionId> named = partitionsOf(meta, request.partitions());
    LoadMeta current = catalog.load(meta.id());
    if (current == null) {
      return Plan.NOTHING;
    }
    Set<PartitionId> rest = new TreeSet<>(current.partitions());
    boolean any = rest.removeAll(Set.copyOf(named));
    if (!whole && !any) {
      return Plan.NOTHING;
    }
    if (whole || rest.isEmpty()) {
      return Plan.change(runner.toControl(new Message.DropLoadConfig(meta.id())));
    }
    LoadMeta after =
        new LoadMeta(
            meta.id(),
            false,
            inOrder(rest),
            current.fields(),
            current.replicas(),
            current.createdTs());
    return Plan.change(runner.toControl(new Message.AlterLoadConfig(after)));
  }
}
