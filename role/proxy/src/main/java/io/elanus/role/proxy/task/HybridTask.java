package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.HybridSearchRequest;
import io.elanus.role.proxy.api.ReadTarget;
import io.elanus.role.proxy.api.SearchReply;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.cache.CachedCollection;
import io.elanus.role.proxy.check.JsonText;
import io.elanus.role.proxy.plan.OutputPlan;
import io.elanus.role.proxy.reduce.Fusion;
import io.elanus.role.proxy.reduce.Ranked;
import io.elanus.role.proxy.reduce.SearchReduce;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Several searches over one collection, read at the same guarantee, fused into one ranking.
///
/// Thread-safe.
final class HybridTask {
  private static final int MAX_SEARCHES = 1024;
  private static final double DEFAULT_RRF_K = 60;

  private final Parts parts;
  private final ShardReads reads;
  private final SearchTask search;
  private final SearchPlan.Maker plans;

  HybridTask(Parts parts, ShardReads reads, SearchTask search, SearchPlan.Maker plans) {
    this.parts = parts;
    this.reads = reads;
    this.search = search;
    this.plans = plans;
  }

  private record Rank(int limit, int offset, int roundDigits, Fusion.Scorer scorer) {}

  CompletableFuture<SearchReply> run(CallContext context, HybridSearchRequest request) {
    return parts
        .collection(context, request.target().database(), request.target().collection())
        .thenCompose(collection -> {
          OutputPlan outputs = SearchPlan.outputs(collection, request.target());
          Rank rank = rank(collection, request);
          List<SearchPlan> searches = plans(collection, request, rank);
          return reads
              .guarantee(context, collection, request.consistency(), false)
              .thenCompose(g -> searchAll(context, collection, searches, outputs, g))
              .thenApply(merged -> reply(collection, searches, outputs, rank, merged));
        });
  }

  private List<SearchPlan> plans(
      CachedCollection collection, HybridSearchRequest request, Rank rank) {
    List<SearchPlan> searches = new ArrayList<>();
    for (SearchRequest sub : request.searches()) {
      SearchPlan plan =
          plans.make(
              collection,
              inPartitions(sub, request.target().partitions()),
              (long) rank.limit() + rank.offset());
      if (plan.iterator() != null) {
        throw DbException.invalid("search iterator is not supported in hybrid search");
      }
      if (!searches.isEmpty() && searches.get(0).nq() != plan.nq()) {
        throw DbException.invalid(
            "sub search requests should have the same nq", searches.get(0).nq(), plan.nq());
      }
      searches.add(plan);
    }
    return searches;
  }

  /// Partitions named for the whole search count for every part that names none.
  private static SearchRequest inPartitions(SearchRequest sub, List<String> partitions) {
    ReadTarget target = sub.target();
    if (partitions.isEmpty() || !target.partitions().isEmpty()) {
      return sub;
    }
    return new SearchRequest(
        new ReadTarget(
            target.database(),
            target.collection(),
            partitions,
            target.filter(),
            target.templates(),
            target.outputFields()),
        sub.queries(),
        sub.params(),
        sub.consistency());
  }

  private CompletableFuture<List<SearchTask.Merged>> searchAll(
      CallContext context,
      CachedCollection collection,
      List<SearchPlan> searches,
      OutputPlan outputs,
      ReadRequest.Guarantee guarantee) {
    List<CompletableFuture<SearchTask.Merged>> running = new ArrayList<>();
    for (SearchPlan plan : searches) {
      running.add(search.search(context, collection, plan, outputs.fieldIds(), guarantee));
    }
    return CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
        .thenApply(done -> {
          List<SearchTask.Merged> merged = new ArrayList<>();
          for (CompletableFuture<SearchTask.Merged> each : running) {
            merged.add(each.join());
          }
          return merged;
        });
  }

  private static SearchReply reply(
      CachedCollection collection,
      List<SearchPlan> searches,
      OutputPlan outputs,
      Rank rank,
      List<SearchTask.Merged> merged) {
    List<Fusion.Searched> searched = new ArrayList<>();
    long rows = 0;
    for (SearchTask.Merged each : merged) {
      searched.add(new Fusion.Searched(each.hits(), each.metric()));
      rows += each.searchedRows();
    }
    Ranked fused =
        Fusion.fuse(searched, rank.scorer(), searches.get(0).nq(), rank.offset(), rank.limit());
    SearchReduce.round(fused.scores(), rank.roundDigits());
    return new SearchReply(
        collection.meta().name(),
        fused.counts(),
        fused.keys(),
        fused.scores(),
        new SearchReply.Fields(
            SearchTask.columns(collection, outputs, fused),
            outputs.names(),
            collection.primaryKey().name(),
            SearchTask.maxOf(fused.counts())),
        rows,
        new SearchReply.Paging(HybridTs.ZERO, null, 0));
  }

  private Rank rank(CachedCollection collection, HybridSearchRequest request) {
    int count = request.searches().size();
    if (count < 1 || count > MAX_SEARCHES) {
      throw DbException.invalid(
          "maximum of ann search requests is " + MAX_SEARCHES + ", but got " + count);
    }
    Map<String, String> params = request.rankParams();
    for (String key : List.of("group_by_field", "group_by_fields", "order_by_fields")) {
      if (!Params.text(params, key).isEmpty()) {
        throw DbException.invalid("rank parameter " + key + " is not supported yet");
      }
    }
    String limitText = params.get("limit");
    if (limitText == null) {
      throw DbException.of(ErrorCode.PARAMETER_MISSING, "limit not found in rank_params");
    }
    Long limit = Params.number(params, "limit");
    Long offset = Params.number(params, "offset");
    long from = offset == null ? 0 : offset;
    long size = limit == null ? 0 : limit;
    SearchPlan.limits(parts.config(), collection).checkWindow(from, size);
    return new Rank((int) size, (int) from, SearchPlan.roundDigits(params), scorer(params, count));
  }

  private static Fusion.Scorer scorer(Map<String, String> params, int searches) {
    String strategy = params.getOrDefault("strategy", "rrf");
    String text = Params.text(params, "params");
    Map<String, String> members = text.isBlank() ? Map.of() : JsonText.members(text);
    if (members == null) {
      throw DbException.invalid("parse rerank params failed, " + text);
    }
    return switch (strategy) {
      case "rrf" -> new Fusion.Scorer.Rrf(rrfK(members.get("k")));
      case "weighted" -> weighted(members, searches);
      default -> throw DbException.invalid("unsupported rank type " + strategy);
    };
  }

  private static double rrfK(@Nullable String json) {
    if (json == null) {
      return DEFAULT_RRF_K;
    }
    try {
      double k = Double.parseDouble(JsonText.unquoted(json));
      if (k > 0 && k < 16384) {
        return k;
      }
    } catch (NumberFormatException e) {
      throw DbException.invalid("The type of rank param k should be float").causedBy(e);
    }
    throw DbException.invalid("The rank params k should be in range (0, 16384)");
  }

  private static Fusion.Scorer weighted(Map<String, String> members, int searches) {
    String json = members.get("weights");
    if (json == null) {
      throw DbException.invalid("weights not found");
    }
    JsonNode array = JsonText.mapper().readTree(json);
    if (!array.isArray()) {
      throw DbException.invalid("The weights param should be an array");
    }
    List<Double> weights = new ArrayList<>();
    for (JsonNode element : array) {
      double weight = element.isNumber() ? element.doubleValue() : Double.NaN;
      if (!(weight >= 0 && weight <= 1)) {
        throw DbException.invalid("rank param weight should be in range [0, 1]");
      }
      weights.add(weight);
    }
    if (weights.size() != searches) {
      throw DbException.invalid(
          "the length of weights param mismatch with ann search requests",
          searches,
          weights.size());
    }
    boolean normalised = "true".equals(members.get("norm_score"));
    return new Fusion.Scorer.Weighted(weights, normalised);
  }
}
