package io.elanus.role.proxy.check;

import io.elanus.base.error.DbException;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Values of collection properties (limits contract, section 6). Unknown keys are stored and
/// echoed.
///
/// Thread-safe: stateless.
public final class PropertyRules {
  private static final long MAX_TTL_S = 3_155_760_000L;
  private static final Set<String> WARMUP_KEYS =
      new TreeSet<>(
          Set.of(
              "warmup.scalarField",
              "warmup.scalarIndex",
              "warmup.vectorField",
              "warmup.vectorIndex"));

  private PropertyRules() {}

  public static void check(Map<String, String> properties) {
    String mode = properties.get("query_mode");
    if (mode != null && !mode.equals("large_topk")) {
      throw DbException.invalid("invalid query_mode: " + mode);
    }
    String isolation = properties.get("partitionkey.isolation");
    if (isolation != null && !isBool(isolation)) {
      throw DbException.invalid("failed to parse partition key isolation property: " + isolation);
    }
    String zone = properties.get("timezone");
    if (zone != null && !ZoneId.getAvailableZoneIds().contains(zone)) {
      throw DbException.invalid("unknown or invalid IANA Time Zone ID: " + zone);
    }
    checkTtl(properties.get("collection.ttl.seconds"));
    properties.forEach(PropertyRules::checkWarmup);
  }

  private static void checkTtl(@org.jspecify.annotations.Nullable String text) {
    if (text == null) {
      return;
    }
    long seconds;
    try {
      seconds = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw DbException.invalid("collection TTL is not a valid positive integer").causedBy(e);
    }
    if (seconds < -1 || seconds > MAX_TTL_S) {
      throw DbException.invalid(
          "collection TTL is out of range, expect [-1, " + MAX_TTL_S + "], got " + seconds);
    }
  }

  private static void checkWarmup(String key, String value) {
    if (key.equals("warmup")) {
      throw DbException.invalid(
          "warmup key 'warmup' is only allowed at field level, use"
              + " warmup.scalarField/warmup.scalarIndex/warmup.vectorField/warmup.vectorIndex at"
              + " collection level");
    }
    if (WARMUP_KEYS.contains(key) && !value.equals("disable") && !value.equals("sync")) {
      throw DbException.invalid("invalid warmup value for key " + key + ": " + value);
    }
  }

  private static boolean isBool(String text) {
    return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
  }
}
