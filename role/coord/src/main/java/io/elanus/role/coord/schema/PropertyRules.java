package io.elanus.role.coord.schema;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.meta.IndexMeta;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks of properties (limits-and-defaults.md, section 6).
///
/// Thread-safe: stateless.
final class PropertyRules {
  static final String DESCRIPTION = "collection.description";
  static final String CONSISTENCY = "consistency_level";
  static final String DYNAMIC_FIELD = "dynamicfield.enabled";
  static final String MMAP = "mmap.enabled";
  static final String WARMUP = "warmup";
  private static final String LAZY_LOAD = "lazyload.enabled";
  private static final String TTL = "collection.ttl.seconds";
  private static final String TIMEZONE = "timezone";
  private static final String ISOLATION = "partitionkey.isolation";
  private static final String QUERY_MODE = "query_mode";
  private static final String ALLOW_AUTO_ID = "allow_insert_auto_id";
  private static final long MAX_TTL_S = 3_155_760_000L;

  private PropertyRules() {}

  static void checkTimezone(Map<String, String> properties) {
    String zone = properties.get(TIMEZONE);
    if (zone != null && !ZoneId.getAvailableZoneIds().contains(zone)) {
      throw DbException.invalid("unknown or invalid IANA Time Zone ID: " + zone);
    }
  }

  static void checkTtl(Map<String, String> properties) {
    String ttl = properties.get(TTL);
    if (ttl == null) {
      return;
    }
    long seconds;
    try {
      seconds = Long.parseLong(ttl);
    } catch (NumberFormatException e) {
      throw DbException.invalid("collection TTL is not a valid positive integer").causedBy(e);
    }
    if (seconds < -1 || seconds > MAX_TTL_S) {
      throw DbException.invalid(
          "collection TTL is out of range, expect [-1, " + MAX_TTL_S + "], got " + seconds);
    }
  }

  static boolean isWarmup(String key) {
    return key.equals(WARMUP) || key.startsWith(WARMUP + ".");
  }

  /// Error 104: how data is held in memory can change only while it isn't.
  static void refuseWhileLoaded(
      CollectionMeta meta, Map<String, String> set, List<String> deleteKeys) {
    if (set.containsKey(MMAP) || set.containsKey(LAZY_LOAD)) {
      throw CatalogErrors.collectionLoaded(
          meta.name(), "can not alter mmap properties if collection loaded");
    }
    if (set.keySet().stream().anyMatch(PropertyRules::isWarmup)) {
      throw CatalogErrors.collectionLoaded(
          meta.name(), "can not alter warmup properties if collection loaded");
    }
    for (String key : deleteKeys) {
      if (key.equals(MMAP)) {
        throw CatalogErrors.collectionLoaded(
            meta.name(), "can not delete mmap properties if collection loaded");
      }
      if (key.equals(LAZY_LOAD) || isWarmup(key)) {
        throw CatalogErrors.collectionLoaded(
            meta.name(), "can not delete " + key + " properties if collection loaded");
      }
    }
  }

  /// Error 702: vector indexes are built for the mode.
  static void refuseWithVectorIndex(
      CollectionMeta meta, Map<String, String> after, List<IndexMeta> indexes) {
    if (changes(meta, after, ISOLATION)) {
      if (Boolean.parseBoolean(after.get(ISOLATION))
          && !SchemaAssembler.hasPartitionKey(meta.schema())) {
        throw DbException.invalid(
            "partition key isolation mode is enabled but no partition key field is set. Please set"
                + " the partition key first");
      }
      refuseIndexed(meta, indexes, "partition key isolation mode");
    }
    if (changes(meta, after, QUERY_MODE)) {
      refuseIndexed(meta, indexes, "query mode");
    }
  }

  private static boolean changes(CollectionMeta meta, Map<String, String> after, String key) {
    String old = meta.options().properties().get(key);
    String now = after.get(key);
    return old == null ? now != null && !now.equals("false") : !old.equals(now);
  }

  private static void refuseIndexed(CollectionMeta meta, List<IndexMeta> indexes, String what) {
    for (IndexMeta index : indexes) {
      var field = meta.schema().field(index.fieldId());
      if (field != null && field.type().isVector()) {
        throw DbException.withFields(ErrorCode.INDEX_DUPLICATE, "indexName", index.name())
            .inContext(
                "can not alter "
                    + what
                    + " if the collection already has a vector index. Please drop the index"
                    + " first");
      }
    }
  }

  static void checkAutoId(CollectionMeta meta, Map<String, String> set) {
    if (Boolean.parseBoolean(set.get(ALLOW_AUTO_ID)) && !meta.schema().primaryKey().isAutoId()) {
      throw DbException.invalid(
          "the value for " + ALLOW_AUTO_ID + " must be false when autoID is false");
    }
  }

  /// A level by number or name; null when it is neither.
  static @Nullable ConsistencyLevel consistency(String text) {
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      if (text.equals(Integer.toString(level.number()))
          || level.wireName().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
        return level;
      }
    }
    return null;
  }
}
