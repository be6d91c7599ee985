package io.elanus.bench.index;

import io.elanus.base.column.Column;
import io.elanus.base.schema.MetricType;
import io.elanus.engine.index.vector.BuildContext;
import io.elanus.engine.index.vector.BuildParams;
import io.elanus.engine.index.vector.FlatIndex;
import io.elanus.engine.index.vector.IndexType;
import io.elanus.engine.index.vector.RowSet;
import io.elanus.engine.index.vector.SearchParams;
import io.elanus.engine.index.vector.TopK;
import io.elanus.engine.index.vector.VectorIndex;
import io.elanus.engine.index.vector.VectorIndexBuilder;
import io.elanus.engine.index.vector.VectorIndexFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Recall and speed of one index over word vectors, alone or in turns with a peer process.
///
/// `VectorIndexBench <folder> key=value...` with `base.npy` and `queries.npy` in the folder. Keys:
/// `rows` 100000, `queries` 1000, `metric` COSINE, `index` HNSW, `m` 16, `efc` 200, `nlist` 512,
/// `threads` 1, `k` 10, `params` (comma list of ef or nprobe), `filters` (comma list of shares),
/// `rounds` 3, `saved` (file to open, or to write when absent), `peer` (command line of a process
/// that speaks [PeerProcess]'s protocol).
///
/// QPS counts CPU seconds of the searching thread, which a busy machine disturbs least.
public final class VectorIndexBench {
  private final Map<String, String> args;
  private final MetricType metric;
  private final int k;
  private final int queryCount;
  private final int dim;
  private final float[] queries;
  private final Column base;

  private VectorIndexBench(Path folder, Map<String, String> args) throws IOException {
    this.args = args;
    metric = MetricType.ofName(text("metric", "COSINE"));
    k = number("k", 10);
    NpyFile baseFile = NpyFile.read(folder.resolve("base.npy"));
    NpyFile queryFile = NpyFile.read(folder.resolve("queries.npy"));
    dim = baseFile.dim();
    queryCount = Math.min(number("queries", 1000), queryFile.rows());
    queries = queryFile.floats(queryCount);
    base = baseFile.column(Math.min(number("rows", 100_000), baseFile.rows()));
  }

  private String text(String key, String defaultValue) {
    return args.getOrDefault(key, defaultValue);
  }

  private int number(String key, int defaultValue) {
    return Integer.parseInt(text(key, Integer.toString(defaultValue)));
  }

  private int[] numbers(String key, String defaultValue) {
    return Arrays.stream(text(key, defaultValue).split(",", -1))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  /// Runs what the arguments ask for and prints one line a measurement.
  public static void main(String[] argv) throws Exception {
    Map<String, String> args = new TreeMap<>();
    for (int i = 1; i < argv.length; i++) {
      int at = argv[i].indexOf('=');
      args.put(argv[i].substring(0, at), argv[i].substring(at + 1));
    }
    new VectorIndexBench(Path.of(argv[0]), args).run();
  }

  private void run() throws Exception {
    VectorIndex index = load();
    long[][] truth = truth(null);
    int[] params = numbers("params", "16,24,32,48,64,96,128,192,256,384,512,640");
    for (int warm = 0; warm < 3; warm++) {
      measure(index, params[params.length / 2], null, truth);
    }
    String peer = text("peer", "");
    if (peer.isEmpty()) {
      for (int param : params) {
        print(param, "all", best(index, param, null, truth));
      }
    } else {
      inTurns(index, params, truth, peer);
    }
    for (String share : text("filters", "").split(",", -1)) {
      if (!share.isEmpty()) {
        filtered(index, params, Double.parseDouble(share));
      }
    }
  }

  private void filtered(VectorIndex index, int[] params, double share) {
    RowSet filter = randomSet(base.rows(), share);
    long[][] truth = truth(filter);
    measure(index, params[0], filter, truth);
    for (int param : params) {
      print(param, "filter " + share, best(index, param, filter, truth));
    }
  }

  private static RowSet randomSet(int rows, double share) {
    SplittableRandom random = new SplittableRandom(3);
    long[] words = new long[(rows + 63) / 64];
    for (int row = 0; row < rows; row++) {
      if (random.nextDouble() < share) {
        words[row >> 6] |= 1L << row;
      }
    }
    return RowSet.of(words, rows);
  }

  /// The index from the file `saved` when that exists; else built, and saved there if asked.
  private VectorIndex load() throws IOException {
    String saved = text("saved", "");
    Path file = Path.of(saved);
    if (saved.isEmpty() || !Files.exists(file)) {
      VectorIndex built = build();
      if (!saved.isEmpty()) {
        try (OutputStream out = Files.newOutputStream(file)) {
          VectorIndexFormat.write(built, out);
        }
      }
      return built;
    }
    try (FileChannel channel = FileChannel.open(file)) {
      long start = System.nanoTime();
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.global());
      VectorIndex opened = VectorIndexFormat.open("bench", bytes, base);
      System.out.printf(
          Locale.ROOT,
          "opened %s of %.1f MB in %.1f ms%n",
          file.getFileName(),
          bytes.byteSize() / 1e6,
          (System.nanoTime() - start) / 1e6);
      return opened;
    }
  }

  private VectorIndex build() {
    IndexType type = IndexType.valueOf(text("index", "HNSW"));
    BuildParams params =
        new BuildParams(type, number("m", 16), number("efc", 200), number("nlist", 512));
    int threads = number("threads", 1);
    long wall = System.nanoTime();
    long cpu = processCpuNs();
    VectorIndex index;
    try (ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, threads - 1))) {
      index = VectorIndexBuilder.build(params, metric, base, new BuildContext(7, pool, threads));
    }
    System.out.printf(
        Locale.ROOT,
        "build %s %s %d x %d threads %d: cpu %.1f s (with JIT and GC), wall %.1f s, %.1f MB%n",
        type,
        metric,
        base.rows(),
        dim,
        threads,
        (processCpuNs() - cpu) / 1e9,
        (System.nanoTime() - wall) / 1e9,
        index.sizeBytes() / 1e6);
    return index;
  }

  private static long processCpuNs() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long[][] truth(@Nullable RowSet filter) {
    FlatIndex exact = FlatIndex.over(base, metric);
    TopK[] outs = new TopK[queryCount];
    Arrays.setAll(outs, i -> new TopK());
    exact.searchAll(queries, k, SearchParams.DEFAULT, filter, outs);
    long[][] truth = new long[queryCount][];
    for (int q = 0; q < queryCount; q++) {
      truth[q] = new long[outs[q].size()];
      for (int i = 0; i < truth[q].length; i++) {
        truth[q][i] = outs[q].rowAt(i);
      }
      Arrays.sort(truth[q]);
    }
    return truth;
  }

  /// Recall and queries per CPU second.
  record Point(double recall, double qps) {}

  private Point measure(VectorIndex index, int param, @Nullable RowSet filter, long[][] truth) {
    SearchParams params = new SearchParams(param, param, Float.NaN, Float.NaN);
    TopK out = new TopK();
    long hits = 0;
    long wanted = 0;
    long spent = 0;
    for (int q = 0; q < queryCount; q++) {
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      index.search(queries, q * dim, k, params, filter, out);
      spent += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
      for (int i = 0; i < out.size(); i++) {
        hits += Arrays.binarySearch(truth[q], out.rowAt(i)) >= 0 ? 1 : 0;
      }
      wanted += truth[q].length;
    }
    return new Point((double) hits / Math.max(1, wanted), queryCount / (spent / 1e9));
  }

  private Point best(VectorIndex index, int param, @Nullable RowSet filter, long[][] truth) {
    Point best = measure(index, param, filter, truth);
    for (int round = 1; round < number("rounds", 3); round++) {
      Point next = measure(index, param, filter, truth);
      best = next.qps > best.qps ? next : best;
    }
    return best;
  }

  private void print(int param, String what, Point point) {
    System.out.printf(
        Locale.ROOT,
        "%s param %d: recall %.4f at %.0f QPS%n",
        what,
        param,
        point.recall,
        point.qps);
  }

  private void inTurns(VectorIndex index, int[] params, long[][] truth, String peer)
      throws IOException {
    double[] levels = {0.90, 0.95, 0.99};
    int rounds = number("rounds", 3);
    double[][] ratios = new double[levels.length][rounds];
    try (PeerProcess process = new PeerProcess(peer)) {
      for (int round = 0; round < rounds; round++) {
        Point[] own = new Point[params.length];
        Point[] other = new Point[params.length];
        for (int i = 0; i < params.length; i++) {
          own[i] = measure(index, params[i], null, truth);
          other[i] = process.measure(params[i]);
          System.out.printf(
              Locale.ROOT,
              "round %d param %d: own %.4f at %.0f, peer %.4f at %.0f QPS%n",
              round,
              params[i],
              own[i].recall,
              own[i].qps,
              other[i].recall,
              other[i].qps);
        }
        for (int l = 0; l < levels.length; l++) {
          ratios[l][round] = qpsAt(own, levels[l]) / qpsAt(other, levels[l]);
        }
      }
    }
    for (int l = 0; l < levels.length; l++) {
      Arrays.sort(ratios[l]);
      System.out.printf(
          Locale.ROOT,
          "recall %.2f: %.2f x peer, %s%n",
          levels[l],
          ratios[l][rounds / 2],
          Arrays.toString(ratios[l]));
    }
  }

  /// QPS at a recall, interpolated between two points on logarithmic scales; NaN outside the curve.
  private static double qpsAt(Point[] curve, double recall) {
    for (int i = 0; i + 1 < curve.length; i++) {
      Point a = curve[i];
      Point b = curve[i + 1];
      if (a.recall <= recall && recall <= b.recall) {
        double t =
            (Math.log(1 - recall) - Math.log(1 - a.recall))
                / (Math.log(1 - b.recall + 1e-9) - Math.log(1 - a.recall));
        return Math.exp(Math.log(a.qps) + t * (Math.log(b.qps) - Math.log(a.qps)));
      }
    }
    return Double.NaN;
  }
}
