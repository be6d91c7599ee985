package io.elanus.base.config;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Flat settings by documented key, merged from several sources; a later source wins. Keys are
/// compared without regard to case.
///
/// Immutable.
public final class Settings {
  public static final Settings EMPTY = new Settings(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));

  private final Map<String, String> values;

  private Settings(Map<String, String> values) {
    this.values = values;
  }

  public static Settings of(Map<String, String> values) {
    return EMPTY.with(values);
  }

  /// These settings with `more` on top.
  public Settings with(Map<String, String> more) {
    TreeMap<String, String> merged = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    merged.putAll(values);
    merged.putAll(more);
    return new Settings(merged);
  }

  public @Nullable String get(String key) {
    return values.get(key);
  }

  public Map<String, String> asMap() {
    return Collections.unmodifiableMap(values);
  }

  /// Keys set here that are not among `known`.
  public Set<String> unknownKeys(Set<String> known) {
    Set<String> lower = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    lower.addAll(known);
    Set<String> unknown = new TreeSet<>();
    for (String key : values.keySet()) {
      if (!lower.contains(key)) {
        unknown.add(key);
      }
    }
    return unknown;
  }
}
