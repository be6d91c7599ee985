package io.elanus.role.coord.schema;

import static io.elanus.role.coord.CoordinatorWorld.CONTEXT;
import static io.elanus.role.coord.CoordinatorWorld.DB;
import static io.elanus.role.coord.CoordinatorWorld.alias;
import static io.elanus.role.coord.CoordinatorWorld.drop;
import static io.elanus.role.coord.CoordinatorWorld.dropPartition;
import static io.elanus.role.coord.CoordinatorWorld.index;
import static io.elanus.role.coord.CoordinatorWorld.load;
import static io.elanus.role.coord.CoordinatorWorld.newCollection;
import static io.elanus.role.coord.CoordinatorWorld.partition;
import static io.elanus.role.coord.CoordinatorWorld.release;
import static io.elanus.role.coord.CoordinatorWorld.rename;
import static io.elanus.role.coord.CoordinatorWorld.schema;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.coord.CoordinatorWorld;
import io.elanus.role.coord.part.CoordConfig;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import io.elanus.wire.meta.LoadMeta;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CatalogService.FindAlias;
import io.elanus.wire.service.CatalogService.FindCollection;
import io.elanus.wire.service.CatalogService.ListAliases;
import io.elanus.wire.service.CatalogService.ListCollections;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.DdlRequest.AddField;
import io.elanus.wire.service.DdlRequest.AlterAlias;
import io.elanus.wire.service.DdlRequest.AlterCollection;
import io.elanus.wire.service.DdlRequest.AlterField;
import io.elanus.wire.service.DdlRequest.CreateCollection;
import io.elanus.wire.service.DdlRequest.CreateDatabase;
import io.elanus.wire.service.DdlRequest.DropAlias;
import io.elanus.wire.service.DdlRequest.DropDatabase;
import io.elanus.wire.service.DdlRequest.DropIndex;
import io.elanus.wire.service.DdlRequest.RenameCollection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CatalogRulesTest {
  private final CoordinatorWorld world = new CoordinatorWorld();
  private final CoordinatorWorld.Life life = world.start();

  private void assertRefused(DdlRequest request, int code, String text) {
    DbException refused = life.refused(request);
    assertThat(refused.code().number()).as("%s", refused).isEqualTo(code);
    assertThat(refused).hasMessageContaining(text);
  }

  private static FieldSchema field(String name, DataType type, boolean nullable) {
    return FieldSchema.of(0, name, type)
        .withFlags(new FieldSchema.Flags(false, false, false, false, false, nullable, false));
  }

  private static CreateCollection keyed(String name, int partitions) {
    FieldSchema key =
        FieldSchema.of(0, "key", DataType.INT64)
            .withFlags(new FieldSchema.Flags(false, false, true, false, false, false, false));
    return new CreateCollection(
        DB,
        schema(name, key),
        1,
        partitions,
        new CreateCollection.Options(ConsistencyLevel.STRONG, Map.of()));
  }

  private static DdlRequest set(String collection, String key, String value) {
    return new AlterCollection(DB, collection, Map.of(key, value), List.of());
  }

  // Collections.

  @Test
  void createdCollectionHasIdsPartitionsChannelsTimesAndDefaults() {
    CollectionSchema given = schema("c", field("title", DataType.VARCHAR, true));
    CollectionSchema dynamic = new CollectionSchema("c", "", true, 0, given.fields());

    var reply = life.ddl(newCollection(dynamic, 2));

    CollectionMeta meta = life.collection("c");
    assertThat(meta.schema().fields())
        .extracting(f -> f.id().value() + ":" + f.name())
        .containsExactly("100:id", "101:vec", "102:title", "103:$meta");
    FieldSchema last = meta.schema().fields().getLast();
    assertThat(last.isDynamic()).isTrue();
    assertThat(last.type()).isEqualTo(DataType.JSON);
    assertThat(meta.partitions()).extracting(PartitionMeta::name).containsExactly("_default");
    assertThat(meta.partitions().getFirst().createdTs()).isEqualTo(meta.createdTs());
    assertThat(meta.vchannels()).hasSize(2).doesNotHaveDuplicates();
    assertThat(meta.options().properties()).containsEntry("timezone", "UTC");
    assertThat(meta.schema().version()).isZero();
    assertThat(meta.updateTs()).isEqualTo(reply.effectiveTs());
    assertThat(meta.updateTs()).isEqualTo(world.wal.log().getLast().timeTick());
    assertThat(life.coordinator.catalogView().starts(meta.id()))
        .extracting(start -> start.vchannel())
        .containsExactlyElementsOf(meta.vchannels());
  }

  @Test
  void sameDefinitionAgainIsSuccessWithoutABroadcast() {
    life.ddl(newCollection("c"));
    int appended = world.wal.log().size();

    life.ddl(newCollection("c"));

    assertThat(world.wal.log()).hasSize(appended);
    assertRefused(
        newCollection(schema("c"), 2),
        1100,
        "create duplicate collection with different parameters, collection: c");
  }

  @Test
  void channelsAreSpreadByFewestVChannels() {
    for (int i = 0; i < 8; i++) {
      life.ddl(newCollection(schema("c" + i), 2));
    }
    List<String> used =
        life.coordinator.catalogView().collections().stream()
            .flatMap(meta -> meta.vchannels().stream())
            .map(vchannel -> vchannel.pchannel().name())
            .toList();
    assertThat(used).hasSize(16).doesNotHaveDuplicates();

    life.ddl(drop("c3"));
    life.ddl(newCollection(schema("d"), 2));

    assertThat(life.collection("d").vchannels())
        .extracting(vchannel -> vchannel.pchannel().name())
        .containsExactly("by-dev-rootcoord-dml_6", "by-dev-rootcoord-dml_7");
  }

  @Test
  void schemaThatHarmsTheCatalogIsRefused() {
    CollectionSchema twice = schema("c", field("vec", DataType.INT64, false));
    assertRefused(newCollection(twice, 1), 1100, "duplicated field name vec found");
    CollectionSchema system = schema("c", field("RowID", DataType.INT64, false));
    assertRefused(newCollection(system, 1), 1100, "schema contains system field");
    FieldSchema pk = schema("c").fields().getFirst();
    assertRefused(
        newCollection(new CollectionSchema("c", "", false, 0, List.of(pk)), 1),
        1100,
        "schema does not contain vector field");
    FieldSchema vector = schema("c").fields().getLast();
    assertRefused(
        newCollection(new CollectionSchema("c", "", false, 0, List.of(vector)), 1),
        1101,
        "primary key is not specified");
    assertRefused(
        newCollection(schema("c"), 17), 1100, "shard num (17) exceeds max configuration (16)");
  }

  @Test
  void unknownDatabaseIsRefusedButDroppingInItIsNot() {
    CreateCollection elsewhere =
        new CreateCollection(
            "nope",
            schema("c"),
            1,
            0,
            new CreateCollection.Options(ConsistencyLevel.STRONG, Map.of()));
    assertRefused(elsewhere, 800, "database not found[database=nope]");
    life.ddl(new DdlRequest.DropCollection("nope", "c"));
  }

  @Test
  void droppingTwiceIsSuccess() {
    life.ddl(newCollection("c"));

    life.ddl(drop("c"));
    life.ddl(drop("c"));

    assertThat(life.find(DB, "c")).isNull();
    assertThatThrownBy(() -> life.view("c"))
        .hasMessage("collection not found[database=default][collection=c]");
  }

  @Test
  void recreatedCollectionIsAnotherOne() {
    life.ddl(newCollection("c"));
    CollectionMeta before = life.collection("c");
    life.ddl(drop("c"));

    life.ddl(newCollection("c"));

    CollectionMeta after = life.collection("c");
    assertThat(after.id()).isNotEqualTo(before.id());
    assertThat(after.createdTs().isAfter(before.updateTs())).isTrue();
  }

  @Test
  void limitsAreChecked() {
    CoordinatorWorld small = new CoordinatorWorld();
    CoordConfig standard = CoordConfig.DEFAULT;
    small.config =
        new CoordConfig(
            standard.channels(), new CoordConfig.Limits(3, 2, 6, 4, 3), standard.broadcasts());
    CoordinatorWorld.Life tight = small.start();
    tight.ddl(new CreateDatabase("other", Map.of()));
    DbException databases = tight.refused(new CreateDatabase("third", Map.of()));
    assertThat(databases.code().number()).isEqualTo(801);
    assertThat(databases).hasMessage("exceeded the limit number of database[limit=2]");
    tight.ddl(newCollection("a"));
    tight.ddl(partition("a", "p1"));
    tight.ddl(partition("a", "p2"));
    assertThat(tight.refused(partition("a", "p3")))
        .hasMessageContaining("partition number (3) exceeds max configuration (3), collection: a");
    assertThat(tight.refused(newCollection(schema("b"), 4)))
        .hasMessageContaining("exceeding the max general capacity")
        .hasMessageContaining("general capacity exceeded[newGeneralSize=7][generalCapacity=6]");
    tight.ddl(newCollection("b"));
    tight.ddl(newCollection("c"));
    DbException collections = tight.refused(newCollection("d"));
    assertThat(collections.code().number()).isEqualTo(102);
    assertThat(collections)
        .hasMessage("exceeded the limit number of collections[dbName=default][limit=3]");
  }

  @Test
  void creationsUnderWayCountAgainstTheLimits() {
    CoordinatorWorld small = new CoordinatorWorld();
    CoordConfig standard = CoordConfig.DEFAULT;
    small.config =
        new CoordConfig(
            standard.channels(),
            new CoordConfig.Limits(1024, 64, 65536, 2, 65536),
            standard.broadcasts());
    CoordinatorWorld.Life tight = small.start();
    var sent =
        List.of(
            tight.send(newCollection("a")),
            tight.send(newCollection("b")),
            tight.send(newCollection("c")));
    tight.threads.pump();

    assertThat(sent.stream().filter(f -> f.isCompletedExceptionally())).hasSize(1);
    assertThat(tight.coordinator.catalogView().collections()).hasSize(2);
  }

  // Rename.

  @Test
  void renameKeepsTheIdAndFreesTheOldName() {
    life.ddl(newCollection("c"));
    CollectionMeta before = life.collection("c");

    life.ddl(rename("c", "d"));

    CollectionMeta after = life.collection("d");
    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.updateTs()).isEqualTo(before.updateTs());
    assertThat(life.find(DB, "c")).isNull();
    life.ddl(newCollection("c"));
    assertThat(life.proxies.invalidated)
        .anyMatch(call -> call.names().contains("c") && call.collectionId().equals(after.id()));
  }

  @Test
  void renameRulesAreChecked() {
    life.ddl(newCollection("c"));
    life.ddl(newCollection("d"));
    life.ddl(alias("c", "al"));
    life.ddl(new CreateDatabase("other", Map.of()));

    assertRefused(rename("c", "c"), 1100, "collection name or database name should be different");
    assertRefused(rename("nope", "x"), 100, "collection not found");
    assertRefused(
        rename("al", "x"), 1100, "unsupported use an alias to rename collection, alias:al");
    assertRefused(rename("d", "al"), 1601, "[database=default][alias=al]");
    assertRefused(
        rename("c", "d"),
        1100,
        "duplicated new collection name default:d with other collection name or alias");
    assertRefused(
        new RenameCollection(DB, "c", "nope", "c"), 800, "database not found[database=nope]");
    assertRefused(
        new RenameCollection(DB, "c", "other", "c"),
        1100,
        "fail to rename db name, must drop all aliases of this collection before rename");

    life.ddl(new RenameCollection(DB, "d", "other", "d"));
    CollectionMeta moved = requireNonNull(life.find("other", "d"));
    assertThat(moved.owner().databaseName()).isEqualTo("other");
    assertThat(life.find(DB, "d")).isNull();
  }

  @Test
  void renameAndCreateOfOneNameNeverBothSucceed() {
    life.ddl(newCollection("c"));

    var renamed = life.send(rename("c", "d"));
    var created = life.send(newCollection(schema("d"), 2));
    life.threads.pump();

    assertThat(renamed.isCompletedExceptionally()).isNotEqualTo(created.isCompletedExceptionally());
    assertThat(life.collection("d").shards()).isEqualTo(renamed.isCompletedExceptionally() ? 2 : 1);
  }

  // Aliases.

  @Test
  void aliasNamesACollectionUntilItIsDropped() {
    life.ddl(newCollection("c"));
    life.ddl(newCollection("d"));

    life.ddl(alias("c", "al"));
    life.ddl(alias("c", "al"));

    assertThat(life.collection("al").name()).isEqualTo("c");
    assertThat(life.view("c").aliases()).containsExactly("al");
    assertRefused(alias("d", "al"), 1602, "al is alias to another collection: c");
    life.ddl(new AlterAlias(DB, "d", "al"));
    assertThat(life.collection("al").name()).isEqualTo("d");
    assertThat(life.view("c").aliases()).isEmpty();
    life.ddl(new DropAlias(DB, "al"));
    life.ddl(new DropAlias(DB, "al"));
    assertThat(life.find(DB, "al")).isNull();
  }

  @Test
  void aliasRulesAreChecked() {
    life.ddl(newCollection("c"));
    life.ddl(newCollection("d"));
    life.ddl(alias("c", "al"));

    assertRefused(alias("c", "d"), 1601, "alias and collection name conflict");
    assertRefused(newCollection("al"), 1601, "[database=default][alias=al]");
    assertRefused(alias("nope", "x"), 100, "collection not found");
    assertRefused(new AlterAlias(DB, "c", "x"), 1600, "alias not found[database=default][alias=x]");
    assertRefused(new AlterAlias(DB, "nope", "al"), 100, "collection not found");
    assertRefused(drop("al"), 1100, "cannot drop the collection via alias = al");
    assertRefused(
        drop("c"),
        1100,
        "unable to drop the collection [c] because it has associated aliases [al], please remove"
            + " all aliases before dropping the collection");
  }

  @Test
  void aliasesAreListed() {
    life.ddl(newCollection("c"));
    life.ddl(newCollection("d"));
    life.ddl(alias("c", "b2"));
    life.ddl(alias("c", "b1"));
    life.ddl(alias("d", "b3"));

    var all =
        life.threads.await(life.coordinator.catalog().aliases(CONTEXT, new ListAliases(DB, null)));
    var own =
        life.threads.await(life.coordinator.catalog().aliases(CONTEXT, new ListAliases(DB, "c")));
    assertThat(all.aliases()).extracting(v -> v.alias().alias()).containsExactly("b1", "b2", "b3");
    assertThat(own.aliases()).extracting(v -> v.collectionName()).containsExactly("c", "c");
    assertThatThrownBy(() ->
            life.threads.await(life.coordinator.catalog().alias(CONTEXT, new FindAlias(DB, "x"))))
        .hasMessage("alias not found[database=default][alias=x]");
  }

  // Partitions.

  @Test
  void partitionsComeAndGo() {
    life.ddl(newCollection("c"));

    life.ddl(partition("c", "p"));
    life.ddl(partition("c", "p"));

    assertThat(life.collection("c").partitions())
        .extracting(PartitionMeta::name)
        .containsExactly("_default", "p");
    life.ddl(dropPartition("c", "p"));
    life.ddl(dropPartition("c", "p"));
    assertThat(life.collection("c").partitions()).hasSize(1);
    assertRefused(dropPartition("c", "_default"), 1100, "default partition cannot be deleted");
    assertRefused(dropPartition("nope", "p"), 100, "collection not found");
    assertRefused(partition("nope", "p"), 100, "collection not found");
  }

  @Test
  void partitionKeyModeMakesItsPartitionsItself() {
    life.ddl(keyed("k", 0));
    life.ddl(keyed("k3", 3));

    assertThat(life.collection("k").partitions()).hasSize(16);
    assertThat(life.collection("k3").partitions())
        .extracting(PartitionMeta::name)
        .containsExactly("_default_0", "_default_1", "_default_2");
    assertRefused(
        partition("k", "p"), 1100, "disable create partition if partition key mode is used");
    assertRefused(
        dropPartition("k", "_default_1"),
        1100,
        "disable drop partition if partition key mode is used");
    life.ddl(index("k", "vec", ""));
    assertRefused(
        load("k", "_default_1"), 1100, "disable load partitions if partition key mode is used");
    assertRefused(
        release("k", "_default_1"),
        1100,
        "disable release partitions if partition key mode is used");
  }

  @Test
  void loadedPartitionCannotBeDropped() {
    life.ddl(newCollection("c"));
    life.ddl(partition("c", "p"));
    life.ddl(index("c", "vec", ""));
    life.ddl(load("c"));

    assertRefused(
        dropPartition("c", "p"),
        1100,
        "partition cannot be dropped, partition is loaded, please release it first");
    life.ddl(release("c", "p"));
    life.ddl(dropPartition("c", "p"));
  }

  // Databases.

  @Test
  void databaseRulesAreChecked() {
    life.ddl(new CreateDatabase("other", Map.of()));
    assertRefused(new CreateDatabase("other", Map.of()), 1100, "database already exist: other");
    assertRefused(new DropDatabase(DB), 1100, "can not drop default database");
    CreateCollection inside =
        new CreateCollection(
            "other",
            schema("c"),
            1,
            0,
            new CreateCollection.Options(ConsistencyLevel.STRONG, Map.of()));
    life.ddl(inside);
    assertRefused(
        new DropDatabase("other"),
        1100,
        "database:other not empty, must drop all collections before drop database");
    life.ddl(new DdlRequest.DropCollection("other", "c"));
    life.ddl(new DropDatabase("other"));
    life.ddl(new DropDatabase("other"));
    assertThatThrownBy(() ->
            life.threads.await(
                life.coordinator.catalog().collections(CONTEXT, new ListCollections("other"))))
        .hasMessage("database not found[database=other]");
  }

  // Properties and fields.

  @Test
  void propertiesAreSetAndDeleted() {
    life.ddl(newCollection("c"));
    life.ddl(set("c", "collection.ttl.seconds", "60"));
    life.ddl(set("c", "collection.description", "about"));
    life.ddl(set("c", "consistency_level", "Strong"));

    CollectionMeta meta = life.collection("c");
    assertThat(meta.options().properties()).containsEntry("collection.ttl.seconds", "60");
    assertThat(meta.schema().description()).isEqualTo("about");
    assertThat(meta.options().consistency()).isEqualTo(ConsistencyLevel.STRONG);
    life.ddl(new AlterCollection(DB, "c", Map.of(), List.of("collection.ttl.seconds")));
    assertThat(life.collection("c").options().properties())
        .doesNotContainKey("collection.ttl.seconds");
    assertRefused(
        set("c", "collection.ttl.seconds", "x"), 1100, "TTL is not a valid positive integer");
    assertRefused(set("c", "timezone", "Mars/Base"), 1100, "invalid IANA Time Zone ID: Mars/Base");
    assertRefused(
        new AlterCollection(DB, "c", Map.of("a", "b"), List.of("d")),
        1100,
        "cannot provide both DeleteKeys and ExtraParams");
  }

  @Test
  void memoryPropertiesChangeOnlyWhileReleased() {
    life.ddl(newCollection("c"));
    life.ddl(index("c", "vec", ""));
    life.ddl(set("c", "mmap.enabled", "true"));
    life.ddl(load("c"));

    assertRefused(
        set("c", "mmap.enabled", "false"),
        104,
        "can not alter mmap properties if collection loaded: collection already loaded");
    assertRefused(
        new DdlRequest.AlterIndex(DB, "c", "vec", Map.of("mmap.enabled", "true"), List.of()),
        104,
        "can't alter index on loaded collection, please release the collection first");
  }

  @Test
  void dynamicFieldCanBeSwitchedOnLater() {
    life.ddl(newCollection("c"));

    life.ddl(set("c", "dynamicfield.enabled", "true"));

    CollectionMeta meta = life.collection("c");
    assertThat(meta.schema().dynamicFieldEnabled()).isTrue();
    assertThat(meta.schema().version()).isEqualTo(1);
    assertThat(meta.schema().dynamicField()).isNotNull();
    assertThat(meta.schema().fields().getLast().isNullable()).isTrue();
    assertThat(meta.updateTs().isAfter(meta.createdTs())).isTrue();
    assertRefused(
        set("c", "dynamicfield.enabled", "false"),
        1100,
        "dynamic schema cannot supported to be disabled");
  }

  @Test
  void addedFieldComesBeforeTheDynamicOneAndMovesTheVersion() {
    life.ddl(newCollection(new CollectionSchema("c", "", true, 0, schema("c").fields()), 1));
    CollectionMeta before = life.collection("c");

    life.ddl(new AddField(DB, "c", field("extra", DataType.INT32, true)));

    CollectionMeta after = life.collection("c");
    assertThat(after.schema().fields())
        .extracting(f -> f.id().value() + ":" + f.name())
        .containsExactly("100:id", "101:vec", "103:extra", "102:$meta");
    assertThat(after.schema().version()).isEqualTo(1);
    assertThat(after.updateTs().isAfter(before.updateTs())).isTrue();
    assertRefused(
        new AddField(DB, "c", field("x", DataType.INT32, false)),
        1100,
        "added field must be nullable, please check it, field name = x");
    assertRefused(
        new AddField(DB, "c", field("extra", DataType.INT32, true)),
        1100,
        "duplicate field name: extra");
  }

  @Test
  void fieldParametersChangeWithinTheAllowedKeys() {
    FieldSchema title =
        field("title", DataType.VARCHAR, false).withTypeParams(Map.of("max_length", "10"));
    life.ddl(newCollection(schema("c", title), 1));

    life.ddl(new AlterField(DB, "c", "title", Map.of("max_length", "99"), List.of()));

    FieldSchema after = requireNonNull(life.collection("c").schema().field("title"));
    assertThat(after.maxLengthBytes()).isEqualTo(99);
    assertRefused(
        new AlterField(DB, "c", "title", Map.of("dim", "1"), List.of()),
        1100,
        "dim does not allow update in collection field param");
    assertRefused(
        new AlterField(DB, "c", "nope", Map.of("max_length", "1"), List.of()),
        1100,
        "field nope does not exist in collection c");
  }

  // Indexes and loads.

  @Test
  void indexRulesAreChecked() {
    life.ddl(newCollection("c"));
    life.ddl(index("c", "vec", ""));
    life.ddl(index("c", "vec", ""));
    life.ddl(index("c", "vec", "vec"));

    CollectionMeta meta = life.collection("c");
    assertThat(life.coordinator.catalogView().indexes(meta.id()))
        .extracting(IndexMeta::name)
        .containsExactly("vec");
    Map<String, String> other = Map.of("index_type", "HNSW", "metric_type", "L2");
    assertRefused(
        new DdlRequest.CreateIndex(DB, "c", "vec", "", other, other),
        1100,
        "at most one distinct index is allowed per field");
    assertRefused(
        index("c", "vec", "another"),
        1100,
        "CreateIndex failed: creating multiple indexes on same field is not supported");
    assertRefused(index("c", "nope", ""), 1100, "cannot create index on non-exist field: nope");
    life.ddl(load("c"));
    assertRefused(
        new DropIndex(DB, "c", "vec"),
        1100,
        "vector index cannot be dropped on loaded collection: " + meta.id());
    life.ddl(release("c"));
    life.ddl(new DropIndex(DB, "c", "vec"));
    life.ddl(new DropIndex(DB, "c", "vec"));
    assertThat(life.coordinator.catalogView().indexes(meta.id())).isEmpty();
  }

  @Test
  void loadNeedsAnIndexOnEveryVectorField() {
    FieldSchema second =
        FieldSchema.of(0, "vec2", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "4"));
    life.ddl(newCollection(schema("c", second), 1));
    assertRefused(load("c"), 700, "index not found[collection=c]");

    life.ddl(index("c", "vec", ""));
    assertRefused(
        load("c"), 1100, "there is no vector index on field: [vec2], please create index firstly");

    life.ddl(index("c", "vec2", ""));
    life.ddl(load("c"));
  }

  @Test
  void loadsGrowAndShrinkByPartition() {
    life.ddl(newCollection("c"));
    life.ddl(partition("c", "p"));
    life.ddl(index("c", "vec", ""));
    CollectionMeta meta = life.collection("c");
    PartitionMeta p = requireNonNull(meta.partition("p"));

    life.ddl(load("c", "p"));
    assertLoad(meta, false, List.of(p));
    life.ddl(load("c", "_default"));
    assertLoad(meta, false, meta.partitions());
    life.ddl(release("c", "_default"));
    assertLoad(meta, false, List.of(p));
    life.ddl(release("c", "p"));
    assertThat(life.coordinator.catalogView().load(meta.id())).isNull();
    assertRefused(load("c", "x"), 200, "partition not found[partition=x]");
    life.ddl(release("c"));

    life.ddl(load("c"));
    life.ddl(partition("c", "q"));
    assertLoad(meta, true, life.collection("c").partitions());
    assertRefused(
        new DdlRequest.Load(DB, "c", List.of("p"), 2, List.of()),
        1100,
        "can't change the replica number for loaded partitions");
  }

  private void assertLoad(CollectionMeta meta, boolean whole, List<PartitionMeta> partitions) {
    LoadMeta load = requireNonNull(life.coordinator.catalogView().load(meta.id()));
    assertThat(load.wholeCollection()).isEqualTo(whole);
    assertThat(load.partitions())
        .containsExactlyInAnyOrderElementsOf(partitions.stream().map(PartitionMeta::id).toList());
  }

  @Test
  void loadedFieldsMustHoldWhatReadsNeed() {
    life.ddl(newCollection(schema("c", field("title", DataType.VARCHAR, true)), 1));
    life.ddl(index("c", "vec", ""));

    assertRefused(
        new DdlRequest.Load(DB, "c", List.of(), 1, List.of("vec")),
        1100,
        "load field list [vec] does not contain primary key field id");
    assertRefused(
        new DdlRequest.Load(DB, "c", List.of(), 1, List.of("id")),
        1100,
        "load field list [id] does not contain vector field");
    life.ddl(new DdlRequest.Load(DB, "c", List.of(), 1, List.of("id", "vec")));
    LoadMeta load = requireNonNull(life.coordinator.catalogView().load(life.collection("c").id()));
    assertThat(load.fields()).hasSize(2);
  }

  @Test
  void droppedCollectionTakesItsIndexesAndLoadAlong() {
    life.ddl(newCollection("c"));
    life.ddl(index("c", "vec", ""));
    life.ddl(load("c"));
    CollectionMeta meta = life.collection("c");

    life.ddl(drop("c"));

    assertThat(life.coordinator.catalogView().indexes(meta.id())).isEmpty();
    assertThat(life.coordinator.catalogView().load(meta.id())).isNull();
    assertThat(life.coordinator.catalogView().starts(meta.id())).isEmpty();
    assertThatThrownBy(() ->
            life.threads.await(
                life.coordinator.catalog().collection(CONTEXT, FindCollection.byId(meta.id()))))
        .hasMessageContaining("collection not found[collection=" + meta.id() + "]");
  }
}
