package io.elanus.role.proxy.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.NamedColumn;
import io.elanus.role.proxy.api.WriteReply;
import io.elanus.role.proxy.api.WriteRequest;
import io.elanus.role.proxy.route.Hashing;
import io.elanus.wire.message.Message;
import io.elanus.wire.meta.PartitionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.status.WireStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WriteTasksTest {
  private static final CallContext CONTEXT = CallContext.background("test");

  private static NamedColumn ids(long... ids) {
    ColumnBuilder column = new ColumnBuilder(DataType.INT64, 0, ids.length);
    for (long id : ids) {
      column.addInteger(id);
    }
    return new NamedColumn("id", false, column.build());
  }

  private static NamedColumn vectors(int rows) {
    ColumnBuilder column = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, rows);
    for (int i = 0; i < rows; i++) {
      column.addFloatVector(new float[] {i, -i}, 0);
    }
    return new NamedColumn("v", false, column.build());
  }

  private static NamedColumn json(String... rows) {
    ColumnBuilder column = new ColumnBuilder(DataType.JSON, 0, rows.length);
    for (String row : rows) {
      column.addText(row);
    }
    return new NamedColumn("", true, column.build());
  }

  private static WriteRequest.Insert insert(int rows, NamedColumn... columns) {
    return new WriteRequest.Insert("default", "c", "", List.of(columns), rows, 0);
  }

  private static WriteRequest.Upsert upsert(boolean partial, int rows, NamedColumn... columns) {
    return new WriteRequest.Upsert(
        "default", "c", "", List.of(columns), rows, new WriteRequest.Upsert.Options(0, partial));
  }

  private static WriteRequest.Delete delete(String expression) {
    return new WriteRequest.Delete("default", "c", "", expression, Map.of());
  }

  private static long[] range(int rows) {
    long[] ids = new long[rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = i;
    }
    return ids;
  }

  private static <T> void refused(CompletableFuture<T> answer, ErrorCode code, String message) {
    assertThatThrownBy(
            () -> {
              try {
                answer.join();
              } catch (RuntimeException e) {
                throw WireStatus.classify(e);
              }
            })
        .hasMessageContaining(message)
        .extracting("code")
        .isEqualTo(code);
  }

  private static Column column(Message.Insert insert, long field) {
    return Objects.requireNonNull(insert.rows().column(new FieldId(field)));
  }

  @Test
  void sendsEveryRowToTheShardOfItsKey() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 4));

    WriteReply reply =
        cluster.proxy().insert(CONTEXT, insert(50, ids(range(50)), vectors(50))).join();

    int rows = 0;
    for (StreamingService.AppendRequest append : cluster.appends) {
      Message.Insert insert = (Message.Insert) append.messages().get(0).body();
      int shard = cluster.meta.vchannels().indexOf(append.vchannel());
      for (int i = 0; i < insert.rows().rows(); i++) {
        long key = column(insert, 100).longAt(i);
        assertThat(Hashing.ofLong(key) % 4).isEqualTo(shard);
        assertThat(column(insert, 101).floatVectorAt(i)).containsExactly((float) key, (float) -key);
      }
      assertThat(insert.partitionId()).isEqualTo(FakeCluster.DEFAULT_PARTITION);
      rows += insert.rows().rows();
    }
    assertThat(rows).isEqualTo(50);
    assertThat(cluster.appends).hasSize(4);
    assertThat(reply.inserted()).isEqualTo(50);
    assertThat(reply.keys()).isEqualTo(PrimaryKeys.of(range(50)));
    assertThat(reply.timestamp()).isEqualTo(new HybridTs(cluster.nextTs - 1));
  }

  @Test
  void makesKeysWhenTheSchemaSaysSo() {
    FakeCluster cluster =
        new FakeCluster(
            FakeCluster.collection(
                0, 1, List.of(FakeCluster.key(DataType.VARCHAR, true), FakeCluster.vector())));

    WriteReply reply = cluster.proxy().insert(CONTEXT, insert(2, vectors(2))).join();

    assertThat(reply.keys()).isEqualTo(PrimaryKeys.of("5000", "5001"));
    refused(
        cluster.proxy().insert(CONTEXT, insert(1, ids(1), vectors(1))),
        ErrorCode.PARAMETER_INVALID,
        "more fieldData has pass in: invalid parameter[expected=2][actual=3]");
  }

  @Test
  void putsRowsIntoThePartitionOfTheirPartitionKey() {
    FieldSchema key =
        FieldSchema.of(102, "n", DataType.INT64)
            .withFlags(new FieldSchema.Flags(false, false, true, false, false, false, false));
    List<PartitionMeta> partitions = new ArrayList<>();
    for (int i = 15; i >= 0; i--) {
      partitions.add(new PartitionMeta(new PartitionId(100 + i), "_default_" + i, HybridTs.ZERO));
    }
    FakeCluster cluster =
        new FakeCluster(
            FakeCluster.collection(
                    0,
                    1,
                    List.of(FakeCluster.key(DataType.INT64, false), FakeCluster.vector(), key))
                .withPartitions(partitions));
    NamedColumn tenants = new NamedColumn("n", false, ids(range(30)).column());

    cluster.proxy().insert(CONTEXT, insert(30, ids(range(30)), vectors(30), tenants)).join();

    List<Message.Insert> inserts = cluster.bodies(Message.Insert.class);
    assertThat(inserts.stream().mapToInt(i -> i.rows().rows()).sum()).isEqualTo(30);
    for (Message.Insert insert : inserts) {
      for (int i = 0; i < insert.rows().rows(); i++) {
        int bucket = Hashing.ofLong(column(insert, 102).longAt(i)) % 16;
        assertThat(insert.partitionId()).isEqualTo(new PartitionId(100 + bucket));
      }
    }
    assertThat(cluster.appends).hasSize(1);
    assertThat(cluster.appends.get(0).atomic()).isTrue();
    refused(
        cluster
            .proxy()
            .insert(
                CONTEXT,
                new WriteRequest.Insert(
                    "default", "c", "p1", List.of(ids(1), vectors(1), tenants), 1, 0)),
        ErrorCode.PARAMETER_INVALID,
        "not support manually specifying the partition names if partition key mode is used");
  }

  @Test
  void refusesUnknownCollectionsAndPartitions() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    ProxyNode proxy = cluster.proxy();

    refused(
        proxy.insert(CONTEXT, new WriteRequest.Insert("default", "nope", "", List.of(), 1, 0)),
        ErrorCode.COLLECTION_NOT_FOUND,
        "collection not found[database=default][collection=nope]");
    refused(
        proxy.insert(
            CONTEXT,
            new WriteRequest.Insert("default", "c", "x", List.of(ids(1), vectors(1)), 1, 0)),
        ErrorCode.PARTITION_NOT_FOUND,
        "partition not found[partition=x]");
  }

  @Test
  void refreshesAStaleSchemaAndWritesOnceMore() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    ProxyNode proxy = cluster.proxy();
    proxy.insert(CONTEXT, insert(1, ids(1), vectors(1))).join();
    cluster.meta = FakeCluster.collection(1, 1);
    cluster.appendFailures.add(DbException.of(ErrorCode.COLLECTION_SCHEMA_MISMATCH));

    proxy.insert(CONTEXT, insert(1, ids(2), vectors(1))).join();

    assertThat(cluster.bodies(Message.Insert.class))
        .extracting(Message.Insert::schemaVersion)
        .containsExactly(0, 1);
    assertThat(cluster.collectionLookUps).isEqualTo(2);
  }

  @Test
  void leavesAStaleSchemaToTheClientThatNamedIt() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    ProxyNode proxy = cluster.proxy();
    long current = cluster.meta.updateTs().value();

    refused(
        proxy.insert(
            CONTEXT,
            new WriteRequest.Insert(
                "default", "c", "", List.of(ids(1), vectors(1)), 1, current + 1)),
        ErrorCode.COLLECTION_SCHEMA_MISMATCH,
        "collection schema mismatch");
    cluster.appendFailures.add(DbException.of(ErrorCode.COLLECTION_SCHEMA_MISMATCH));
    refused(
        proxy.insert(
            CONTEXT,
            new WriteRequest.Insert("default", "c", "", List.of(ids(1), vectors(1)), 1, current)),
        ErrorCode.COLLECTION_SCHEMA_MISMATCH,
        "collection schema mismatch");
    assertThat(cluster.appended).isEmpty();
  }

  @Test
  void waitsForAMovingChannelWithinTheDeadline() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    cluster.appendFailures.add(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));
    cluster.appendFailures.add(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));

    CompletableFuture<WriteReply> answer =
        cluster.proxy().insert(CONTEXT, insert(1, ids(1), vectors(1)));
    assertThat(answer).isNotDone();
    cluster.threads.await(answer, Duration.ofSeconds(5));

    assertThat(cluster.appended).hasSize(1);
  }

  @Test
  void givesUpOnAMovingChannelAtTheDeadline() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    for (int i = 0; i < 100; i++) {
      cluster.appendFailures.add(DbException.of(ErrorCode.CHANNEL_NOT_AVAILABLE));
    }
    CallContext hurried =
        new CallContext(Deadline.after(cluster.threads.clock(), Duration.ofMillis(300)), "hurried");

    CompletableFuture<WriteReply> answer =
        cluster.proxy().insert(hurried, insert(1, ids(1), vectors(1)));
    cluster.threads.advance(Duration.ofSeconds(2));

    refused(answer, ErrorCode.CHANNEL_NOT_AVAILABLE, "channel not available");
  }

  @Test
  void checksLargeInsertsOnThePool() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    int rows = 200_000;

    CompletableFuture<WriteReply> answer =
        cluster.proxy().insert(CONTEXT, insert(rows, ids(range(rows)), vectors(rows)));
    assertThat(answer).isNotDone();

    assertThat(cluster.threads.await(answer).inserted()).isEqualTo(rows);
  }

  @Test
  void cutsLargeInsertsIntoMessagesOfOneTransaction() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    int rows = 2_000_000;

    CompletableFuture<WriteReply> answer =
        cluster.proxy().insert(CONTEXT, insert(rows, ids(range(rows)), vectors(rows)));
    cluster.threads.await(answer);

    List<Message.Insert> inserts = cluster.bodies(Message.Insert.class);
    assertThat(inserts).hasSizeGreaterThan(1);
    assertThat(inserts).allMatch(i -> i.rows().sizeBytes() <= RowRouter.MAX_MESSAGE_BYTES);
    assertThat(inserts.stream().mapToInt(i -> i.rows().rows()).sum()).isEqualTo(rows);
    assertThat(cluster.appends).hasSize(1);
    assertThat(cluster.appends.get(0).atomic()).isTrue();
  }

  @Test
  void upsertIsOneTransactionOfDeleteThenInsertPerChannel() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 2));

    WriteReply reply =
        cluster.proxy().upsert(CONTEXT, upsert(false, 20, ids(range(20)), vectors(20))).join();

    assertThat(cluster.appends).hasSize(2);
    for (StreamingService.AppendRequest append : cluster.appends) {
      assertThat(append.atomic()).isTrue();
      assertThat(append.messages()).hasSize(2);
      Message.Delete deleted = (Message.Delete) append.messages().get(0).body();
      Message.Insert inserted = (Message.Insert) append.messages().get(1).body();
      assertThat(deleted.keys()).isEqualTo(PrimaryKeys.ofColumn(column(inserted, 100)));
      assertThat(deleted.partitionId()).isEqualTo(FakeCluster.DEFAULT_PARTITION);
    }
    assertThat(reply.upserted()).isEqualTo(20);
  }

  @Test
  void upsertWithAutoIdDeletesTheGivenKeysAndMakesNewOnes() {
    FakeCluster cluster =
        new FakeCluster(
            FakeCluster.collection(
                0, 1, List.of(FakeCluster.key(DataType.INT64, true), FakeCluster.vector())));

    WriteReply reply =
        cluster.proxy().upsert(CONTEXT, upsert(false, 2, ids(1, 2), vectors(2))).join();

    assertThat(cluster.bodies(Message.Delete.class).get(0).keys())
        .isEqualTo(PrimaryKeys.of(1L, 2L));
    assertThat(reply.keys()).isEqualTo(PrimaryKeys.of(5000L, 5001L));
  }

  @Test
  void upsertWantsKeysAndEachOnce() {
    ProxyNode proxy = new FakeCluster(FakeCluster.collection(0, 1)).proxy();

    refused(
        proxy.upsert(CONTEXT, upsert(false, 1, vectors(1))),
        ErrorCode.PARAMETER_INVALID,
        "must assign pk when upsert, primary field: id");
    refused(
        proxy.upsert(CONTEXT, upsert(false, 2, ids(3, 3), vectors(2))),
        ErrorCode.PARAMETER_INVALID,
        "duplicate primary keys are not allowed in the same batch");
  }

  @Test
  void partialUpsertKeepsWhatWasNotGiven() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    cluster.reader =
        request -> {
          ColumnBuilder vector = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, 1);
          vector.addFloatVector(new float[] {7, 8}, 0);
          ColumnBuilder number = new ColumnBuilder(DataType.INT64, 0, 1);
          number.addInteger(9);
          return new ReadReply.Rows(
              PrimaryKeys.of(2L),
              new ColumnBatch(
                  1,
                  Map.of(
                      new FieldId(101), vector.build(),
                      new FieldId(102), number.build(),
                      new FieldId(103), json("{\"a\":1,\"b\":2}").column())),
              FakeCluster.cost(request));
        };

    cluster.proxy().upsert(CONTEXT, upsert(true, 1, ids(2), json("{\"b\":3}"))).join();

    ReadRequest.Query read = (ReadRequest.Query) cluster.reads.get(0);
    assertThat(read.filter()).isEqualTo("id in [2]");
    assertThat(read.guarantee().readTs()).isEqualTo(new HybridTs(FakeCluster.FIRST_TS));
    Message.Insert inserted = cluster.bodies(Message.Insert.class).get(0);
    assertThat(column(inserted, 101).floatVectorAt(0)).containsExactly(7, 8);
    assertThat(column(inserted, 102).longAt(0)).isEqualTo(9);
    assertThat(column(inserted, 103).textAt(0)).isEqualTo("{\"a\":1,\"b\":3}");
  }

  @Test
  void partialUpsertOfANewKeyNeedsEveryRequiredField() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));

    refused(
        cluster.proxy().upsert(CONTEXT, upsert(true, 1, ids(2), json("{}"))),
        ErrorCode.PARAMETER_INVALID,
        "fieldSchema(v) has no corresponding fieldData pass in");
    cluster.proxy().upsert(CONTEXT, upsert(true, 1, ids(2), vectors(1))).join();

    Message.Insert inserted = cluster.bodies(Message.Insert.class).get(0);
    assertThat(column(inserted, 102).isNull(0)).isTrue();
    assertThat(column(inserted, 103).textAt(0)).isEqualTo("{}");
  }

  @Test
  void deletesNamedKeysWithoutReadingThem() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 2));
    cluster.loaded = false;

    WriteReply reply = cluster.proxy().delete(CONTEXT, delete("id in [1, 2, 3]")).join();

    assertThat(reply.deleted()).isEqualTo(3);
    assertThat(cluster.reads).isEmpty();
    long keys = cluster.bodies(Message.Delete.class).stream().mapToLong(d -> d.keys().size()).sum();
    assertThat(keys).isEqualTo(3);
    assertThat(cluster.bodies(Message.Delete.class))
        .allMatch(d -> d.partitionId().equals(Message.Delete.ALL_PARTITIONS));
  }

  @Test
  void deletesWhatAFilterFindsAtAFreshTimestamp() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    cluster.reader =
        request ->
            new ReadReply.Rows(
                PrimaryKeys.of(4L, 9L), new ColumnBatch(2, Map.of()), FakeCluster.cost(request));

    WriteReply reply = cluster.proxy().delete(CONTEXT, delete("n > 3")).join();

    ReadRequest.Query read = (ReadRequest.Query) cluster.reads.get(0);
    assertThat(read.guarantee().guaranteeTs()).isEqualTo(new HybridTs(FakeCluster.FIRST_TS));
    assertThat(read.guarantee().readTs()).isEqualTo(new HybridTs(FakeCluster.FIRST_TS));
    assertThat(cluster.bodies(Message.Delete.class).get(0).keys())
        .isEqualTo(PrimaryKeys.of(4L, 9L));
    assertThat(reply.deleted()).isEqualTo(2);
  }

  @Test
  void refusesDeletesOfEverythingAndOfUnloadedRows() {
    FakeCluster cluster = new FakeCluster(FakeCluster.collection(0, 1));
    cluster.loaded = false;
    ProxyNode proxy = cluster.proxy();

    refused(
        proxy.delete(CONTEXT, delete("")),
        ErrorCode.PARAMETER_INVALID,
        "delete plan can't be empty or always true : ");
    refused(
        proxy.delete(CONTEXT, delete("id >")),
        ErrorCode.PARAMETER_INVALID,
        "failed to create delete plan: cannot parse expression: id >");
    refused(
        proxy.delete(CONTEXT, delete("n > 3")),
        ErrorCode.COLLECTION_NOT_LOADED,
        "collection not loaded[collection=7]");
  }
}
