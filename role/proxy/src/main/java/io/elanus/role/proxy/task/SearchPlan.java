package io.elanus.role.proxy.task;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PartitionId;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.ReadTarget;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.Limits;
import io.elanus.role.proxy.check.Names;
import io.elanus.role.proxy.plan.FilterPlan;
import io.elanus.role.proxy.plan.OutputPlan;
import io.elanus.role.proxy.plan.PinnedKeys;
import io.elanus.role.proxy.plan.TenantIsolation;
import io.elanus.role.proxy.route.Hashing;
import io.elanus.wire.meta.PartitionMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A search after all checks that need no index: what to ask of every shard, and how to merge.
///
/// Immutable.
record SearchPlan(
    FieldSchema field,
    float[] vectors,
    FilterPlan filter,
    Window window,
    Options options,
    @Nullable SearchIterator iterator) {

  /// `topK` hits behind the first `offset`, scores rounded to `roundDigits` (-1: not).
  record Window(int topK, int offset, int roundDigits) {
    int depth() {
      return topK + offset;
    }
  }

  /// `metric` is what the client claims, empty when nothing; `params` go to the index.
  record Options(
      List<PartitionId> partitions,
      boolean ignoreGrowing,
      boolean iterating,
      String metric,
      Map<String, String> params) {}

  int nq() {
    return vectors.length / field.dim();
  }

  /// Makes plans.
  static final class Maker {
    private final ProxyConfig config;
    private static final Set<String> HINTS = Set.of("iterative_filter", "disable");

    private final SearchParamTexts texts;
    private final Rng rng;

    Maker(ProxyConfig config, SearchParamTexts texts, Rng rng) {
      this.config = config;
      this.texts = texts;
      this.rng = rng;
    }

    /// `outerDepth` is limit + offset of the hybrid search that this one belongs to, 0 for none.
    SearchPlan make(CachedCollection collection, SearchRequest request, long outerDepth) {
      Map<String, String> params = request.params();
      checkSupported(params);
      Limits limits = limits(config, collection);
      List<PartitionId> partitions = partitions(collection, request.target());
      checkCollectionId(collection, params);
      int blobs = request.queries().values().size();
      limits.checkNq(
          request.queries().claimedCount() == 0 ? blobs : request.queries().claimedCount());
      boolean iterating = Params.flag(params, "iterator");
      Window window = window(params, limits, iterating, outerDepth);
      SearchIterator iterator =
          SearchIterator.read(params, iterating, window.offset(), limits, rng);
      if (iterator != null) {
        window = new Window(iterator.batchSize(), 0, window.roundDigits());
      }
      FieldSchema field = annsField(collection, params);
      FilterPlan filter =
          collection.filters().forQuery(request.target().filter(), request.target().templates());
      checkIsolation(collection, filter);
      partitions = pruned(collection, filter, partitions);
      float[] vectors = QueryVectors.read(request.queries(), field);
      long claimed = request.queries().claimedCount();
      if (claimed != 0 && claimed != blobs) {
        throw DbException.invalid("nq does not match the number of query vectors", claimed, blobs);
      }
      Map<String, String> searchParams =
          new TreeMap<>(texts.members(Params.text(params, "params")));
      checkHints(params, searchParams);
      boolean ignoreGrowing = Params.flag(params, "ignore_growing");
      String inner = searchParams.remove("ignore_growing");
      if (inner != null) {
        ignoreGrowing |= inner.replace("\"", "").equalsIgnoreCase("true");
      }
      return new SearchPlan(
          field,
          vectors,
          filter,
          window,
          new Options(
              partitions,
              ignoreGrowing,
              iterating,
              Params.text(params, "metric_type"),
              searchParams),
          iterator);
    }

    /// The planner chooses how to filter; the hints of the contract are accepted, others refused.
    private static void checkHints(Map<String, String> params, Map<String, String> searchParams) {
      String outer = Params.text(params, "hints");
      String inner = searchParams.remove("hints");
      String hints = !outer.isEmpty() || inner == null ? outer : inner.replace("\"", "");
      if (!hints.isEmpty() && !HINTS.contains(hints) && !searchParams.containsKey("radius")) {
        throw DbException.invalid("hints: " + hints + " not supported");
      }
    }

    private static void checkSupported(Map<String, String> params) {
      for (String key : List.of("group_by_field", "group_by_fields", "order_by_fields")) {
        if (!Params.text(params, key).isEmpty()) {
          throw DbException.invalid("search parameter " + key + " is not supported yet");
        }
      }
    }
  }

  static Limits limits(ProxyConfig config, CachedCollection collection) {
    Limits limits = config.requests().limits();
    return collection.isProperty("query_mode", "large_topk") ? limits.large() : limits;
  }

  static OutputPlan outputs(CachedCollection collection, ReadTarget target) {
    for (String name : target.outputFields()) {
      if (name.strip().equalsIgnoreCase("count(*)")) {
        throw DbException.invalid("aggregates are not supported in search request");
      }
    }
    return OutputPlan.of(target.outputFields(), collection.schema());
  }

  private static Window window(
      Map<String, String> params, Limits limits, boolean iterating, long outerDepth) {
    String text = params.get("topk");
    Long topK = text == null ? null : Params.tryNumber(text);
    if (topK == null && outerDepth <= 0) {
      throw text == null
          ? DbException.of(ErrorCode.PARAMETER_MISSING, "topk is required")
          : DbException.invalid("topk [" + text + "] is invalid");
    }
    if (topK == null) {
      topK = outerDepth;
    }
    if (!limits.isTopKFine(topK)) {
      if (!iterating) {
        limits.checkTopK("topk", topK);
      }
      topK = limits.maxTopK();
    }
    long offset = 0;
    if (outerDepth <= 0) {
      Long given = Params.number(params, "offset");
      offset = given == null ? 0 : given;
      if (offset != 0) {
        limits.checkTopK("offset", offset);
      }
    }
    limits.checkTopK("offset+topk", topK + offset);
    return new Window(topK.intValue(), (int) offset, roundDigits(params));
  }

  static int roundDigits(Map<String, String> params) {
    String text = params.get("round_decimal");
    if (text == null) {
      return -1;
    }
    Long digits = Params.tryNumber(text);
    if (digits == null || digits < -1 || digits > 6) {
      throw DbException.invalid(
          "round_decimal [" + text + "] is invalid, should be -1 or an integer in range [0, 6]");
    }
    return digits.intValue();
  }

  private static FieldSchema annsField(CachedCollection collection, Map<String, String> params) {
    String name = Params.text(params, "anns_field");
    if (name.isEmpty()) {
      List<FieldSchema> vectors = collection.vectorFields();
      if (vectors.size() > 1) {
        throw DbException.invalid(
            "multiple anns_fields exist, please specify a anns_field in search_params");
      }
      return vectors.get(0);
    }
    FieldSchema field = collection.schema().field(name);
    if (field == null) {
      throw DbException.invalid(
          "failed to create query plan: failed to get field schema by name: "
              + "fieldName("
              + name
              + ") not found");
    }
    if (!field.type().isVector()) {
      throw DbException.invalid(
          "failed to create query plan: field (" + name + ") to search is not of vector data type");
    }
    return field;
  }

  /// Ids of the partitions that a read names; empty for all.
  static List<PartitionId> partitions(CachedCollection collection, ReadTarget target) {
    if (target.partitions().isEmpty()) {
      return List.of();
    }
    if (collection.partitionKey() != null) {
      throw DbException.invalid(
          "not support manually specifying the partition names if partition key mode is used");
    }
    List<PartitionId> ids = new ArrayList<>();
    for (String name : target.partitions()) {
      Names.partition(name, false);
      var partition = collection.meta().partition(name);
      if (partition == null) {
        throw DbException.invalid("partition name " + name + " not found");
      }
      if (!ids.contains(partition.id())) {
        ids.add(partition.id());
      }
    }
    return ids;
  }

  /// With a partition key, the partitions that can hold matches of a filter that pins its values;
  /// else `partitions` as they are.
  static List<PartitionId> pruned(
      CachedCollection collection, FilterPlan filter, List<PartitionId> partitions) {
    FieldSchema key = collection.partitionKey();
    PrimaryKeys pinned = key == null ? null : PinnedKeys.of(filter.expr(), key);
    if (pinned == null || pinned.size() == 0) {
      return partitions;
    }
    List<PartitionMeta> hashed = collection.hashedPartitions();
    Set<PartitionId> ids = new TreeSet<>();
    for (int bucket : Hashing.buckets(pinned, hashed.size())) {
      ids.add(hashed.get(bucket).id());
    }
    return List.copyOf(ids);
  }

  private static void checkIsolation(CachedCollection collection, FilterPlan filter) {
    FieldSchema key = collection.partitionKey();
    if (key == null || !collection.isProperty("partitionkey.isolation", "true")) {
      return;
    }
    TenantIsolation.check(filter.expr(), key);
  }

  /// Iterators name the collection that their first page came from.
  static void checkCollectionId(CachedCollection collection, Map<String, String> params) {
    String text = Params.text(params, "collection_id");
    if (text.isEmpty()) {
      return;
    }
    Long id = Params.tryNumber(text);
    if (id == null) {
      throw DbException.invalid(
          "parse collection_id failed", "int value for collection_id", "collection_id");
    }
    if (id > 0 && id != collection.id().value()) {
      throw DbException.invalid(
          "Input collection id is not consistent to collectionID in the context, alias or"
              + " database may have changed");
    }
  }
}
