package io.elanus.role.query.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.elanus.base.id.CollectionId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.engine.segment.SegmentFilter;
import org.jspecify.annotations.Nullable;

/// Compiled filters by collection, schema version and text.
///
/// Thread-safe: by the cache.
public final class FilterCache {
  private record Key(CollectionId collection, int schemaVersion, String text) {}

  /// A filter, or that there is none to apply.
  private record Compiled(@Nullable SegmentFilter filter) {}

  private final Cache<Key, Compiled> cache;

  public FilterCache(int size) {
    this.cache = Caffeine.newBuilder().maximumSize(size).executor(Runnable::run).build();
  }

  /// The filter, null when every row passes. Error 1100 when the text is refused.
  public @Nullable SegmentFilter get(
      CollectionId collection, CollectionSchema schema, String text) {
    if (text.isEmpty()) {
      return null;
    }
    Key key = new Key(collection, schema.version(), text);
    Compiled known = cache.getIfPresent(key);
    if (known == null) {
      known = new Compiled(SegmentFilter.compile(text, schema));
      cache.put(key, known);
    }
    return known.filter;
  }
}
