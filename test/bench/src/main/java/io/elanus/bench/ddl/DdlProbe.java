package io.elanus.bench.ddl;

import com.google.protobuf.ByteString;
import io.elanus.wire.proto.common.KeyValuePair;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.milvus.CreateCollectionRequest;
import io.elanus.wire.proto.milvus.CreateIndexRequest;
import io.elanus.wire.proto.milvus.DropCollectionRequest;
import io.elanus.wire.proto.milvus.GetLoadingProgressRequest;
import io.elanus.wire.proto.milvus.GetLoadingProgressResponse;
import io.elanus.wire.proto.milvus.LoadCollectionRequest;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc.MilvusServiceBlockingStub;
import io.elanus.wire.proto.schema.CollectionSchema;
import io.elanus.wire.proto.schema.DataType;
import io.elanus.wire.proto.schema.FieldSchema;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Create + index + load of an empty collection, one after the other, then collections created a
/// second by several threads; raw stubs, for the clients' own polling hides what the server does.
///
/// `DdlProbe HOST:PORT [cycles=50] [threads=8] [creates=4000]`; prints one line of JSON. All
/// collections are dropped at the end. A first pass of the same size warms the server.
public final class DdlProbe {
  private static final int DIM = 100;

  private final MilvusServiceBlockingStub milvus;
  private final AtomicInteger names = new AtomicInteger();

  private DdlProbe(ManagedChannel channel) {
    milvus = MilvusServiceGrpc.newBlockingStub(channel);
  }

  public static void main(String[] args) throws Exception {
    String[] target = args[0].split(":", 2);
    int cycles = args.length > 1 ? Integer.parseInt(args[1]) : 50;
    int threads = args.length > 2 ? Integer.parseInt(args[2]) : 8;
    int creates = args.length > 3 ? Integer.parseInt(args[3]) : 4000;
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(target[0], Integer.parseInt(target[1]))
            .usePlaintext()
            .build();
    try {
      DdlProbe probe = new DdlProbe(channel);
      probe.cycles(cycles);
      double[] cycle = probe.cycles(cycles);
      probe.createMany(threads, creates / 2);
      double rate = probe.createMany(threads, creates);
      System.out.printf(
          Locale.ROOT,
          "{\"create_index_load_ms\": {\"n\": %d, \"p50\": %.1f, \"p99\": %.1f},"
              + " \"created_per_s\": {\"threads\": %d, \"n\": %d, \"rate\": %.0f}}%n",
          cycles,
          quantile(cycle, 0.5),
          quantile(cycle, 0.99),
          threads,
          creates,
          rate);
    } finally {
      channel.shutdownNow();
    }
  }

  private static double quantile(double[] sorted, double q) {
    return sorted[Math.min(sorted.length - 1, (int) (q * sorted.length))];
  }

  /// Milliseconds of each cycle, ascending.
  private double[] cycles(int count) throws InterruptedException {
    double[] ms = new double[count];
    for (int i = 0; i < count; i++) {
      String name = nextName();
      long began = System.nanoTime();
      create(name);
      check(
          milvus.createIndex(
              CreateIndexRequest.newBuilder()
                  .setCollectionName(name)
                  .setFieldName("vec")
                  .addExtraParams(pair("index_type", "HNSW"))
                  .addExtraParams(pair("metric_type", "COSINE"))
                  .addExtraParams(pair("M", "16"))
                  .addExtraParams(pair("efConstruction", "200"))
                  .build()));
      check(
          milvus.loadCollection(
              LoadCollectionRequest.newBuilder()
                  .setCollectionName(name)
                  .setReplicaNumber(1)
                  .build()));
      awaitLoaded(name);
      ms[i] = (System.nanoTime() - began) / 1e6;
      drop(name);
    }
    Arrays.sort(ms);
    return ms;
  }

  private void awaitLoaded(String name) throws InterruptedException {
    GetLoadingProgressRequest request =
        GetLoadingProgressRequest.newBuilder().setCollectionName(name).build();
    while (true) {
      GetLoadingProgressResponse progress = milvus.getLoadingProgress(request);
      check(progress.getStatus());
      if (progress.getProgress() == 100) {
        return;
      }
      Thread.sleep(1);
    }
  }

  /// Collections created a second.
  private double createMany(int threads, int count) throws Exception {
    List<String> created = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      created.add(nextName());
    }
    long began = System.nanoTime();
    each(threads, created, this::create);
    double rate = count / ((System.nanoTime() - began) / 1e9);
    each(threads, created, this::drop);
    return rate;
  }

  private interface Step {
    void run(String name);
  }

  private static void each(int threads, List<String> names, Step step) throws Exception {
    AtomicInteger next = new AtomicInteger();
    Callable<Integer> worker =
        () -> {
          int done = 0;
          for (int i = next.getAndIncrement(); i < names.size(); i = next.getAndIncrement()) {
            step.run(names.get(i));
            done++;
          }
          return done;
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(worker));
      }
      for (Future<Integer> one : running) {
        one.get();
      }
    }
  }

  private String nextName() {
    return "probe_" + names.incrementAndGet();
  }

  private void create(String name) {
    CollectionSchema schema =
        CollectionSchema.newBuilder()
            .setName(name)
            .addFields(
                FieldSchema.newBuilder()
                    .setName("id")
                    .setIsPrimaryKey(true)
                    .setDataType(DataType.Int64))
            .addFields(
                FieldSchema.newBuilder()
                    .setName("vec")
                    .setDataType(DataType.FloatVector)
                    .addTypeParams(pair("dim", Integer.toString(DIM))))
            .build();
    ByteString bytes = schema.toByteString();
    check(
        milvus.createCollection(
            CreateCollectionRequest.newBuilder()
                .setCollectionName(name)
                .setSchema(bytes)
                .setShardsNum(1)
                .build()));
  }

  private void drop(String name) {
    check(
        milvus.dropCollection(DropCollectionRequest.newBuilder().setCollectionName(name).build()));
  }

  private static KeyValuePair pair(String key, String value) {
    return KeyValuePair.newBuilder().setKey(key).setValue(value).build();
  }

  private static void check(Status status) {
    if (status.getCode() != 0) {
      throw new IllegalStateException(status.getCode() + ": " + status.getReason());
    }
  }
}
