package io.elanus.role.proxy.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.engine.expr.parse.Filters;
import io.elanus.engine.expr.tree.Expr;
import io.elanus.engine.expr.tree.Value;
import io.elanus.role.proxy.api.TemplateArgument;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Filters of one version of a schema, parsed once per text. It lives and dies with the cached
/// collection, so a plan never outlives the schema that it was checked against.
///
/// Thread-safe: by the cache.
public final class FilterPlans {
  private static final int MAX_PLANS = 256;
  private static final int MAX_CACHED_CHARS = 4096;

  private final CollectionSchema schema;
  private final Cache<String, FilterPlan> plans =
      Caffeine.newBuilder().maximumSize(MAX_PLANS).executor(Runnable::run).build();

  public FilterPlans(CollectionSchema schema) {
    this.schema = schema;
  }

  /// The plan of a search's or query's filter; error 1100 as the expression contract says.
  public FilterPlan forQuery(String filter, Map<String, TemplateArgument> templates) {
    if (filter.isBlank()) {
      return FilterPlan.ALL;
    }
    if (!templates.isEmpty()) {
      Map<String, Value> values = Templates.values(templates);
      Expr expr = Filters.parseForQuery(filter, schema, values);
      return new FilterPlan(expr, Templates.fill(filter, values));
    }
    if (filter.length() > MAX_CACHED_CHARS) {
      return new FilterPlan(Filters.parseForQuery(filter, schema, Map.of()), filter);
    }
    @Nullable FilterPlan known = plans.getIfPresent(filter);
    if (known != null) {
      return known;
    }
    FilterPlan plan = new FilterPlan(Filters.parseForQuery(filter, schema, Map.of()), filter);
    plans.put(filter, plan);
    return plan;
  }

  /// The plan of a delete; refuses empty and always-true filters.
  public FilterPlan forDelete(String filter, Map<String, TemplateArgument> templates) {
    Map<String, Value> values = Templates.values(templates);
    Expr expr = Filters.parseForDelete(filter, schema, values);
    return new FilterPlan(expr, values.isEmpty() ? filter : Templates.fill(filter, values));
  }
}
