package io.elanus.base.config;

import io.elanus.base.error.DbException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Fills configuration records whose components carry [Key]. Components are `int`, `long`,
/// `double`, `boolean`, `String` or [Duration] (a bare number takes the key's unit). The one place
/// that reads annotations.
///
/// Thread-safe: stateless.
public final class ConfigBinder {
  private ConfigBinder() {}

  /// The record of `type`, from `settings` and the keys' defaults. Error 1100 that names the key,
  /// what was expected and what came; a record's own constructor may refuse values the same way.
  public static <R extends Record> R bind(Class<R> type, Settings settings) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = setting(type, components[i]).read(settings);
    }
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof DbException cause) {
        throw cause;
      }
      throw new IllegalStateException(type + " refused its values", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " can't be made", e);
    }
  }

  /// The record with every default.
  public static <R extends Record> R defaults(Class<R> type) {
    return bind(type, Settings.EMPTY);
  }

  /// All keys and aliases of the records.
  public static Set<String> knownKeys(List<Class<? extends Record>> types) {
    Set<String> known = new TreeSet<>();
    for (Setting setting : settings(types)) {
      known.add(setting.key().value());
      known.addAll(List.of(setting.key().aliases()));
    }
    return known;
  }

  /// A component that settings fill, for the reference page.
  ///
  /// Immutable.
  public record Setting(Key key, Class<?> type) {
    public Setting {
      if (type == Duration.class && key.unit().isEmpty()) {
        throw new IllegalStateException(key.value() + ": a bare number would have no unit");
      }
    }

    /// The values that it takes, e.g. `at least 1` or `0 to 65535`; empty for any.
    public String range() {
      String min = min();
      if (min.isEmpty()) {
        return type == boolean.class ? "true or false" : "";
      }
      return key.max().isEmpty() ? "at least " + min : min + " to " + key.max();
    }

    /// Empty for what has no order.
    private String min() {
      if (!key.min().isEmpty()) {
        return key.min();
      }
      if (type == int.class || type == long.class) {
        return "1";
      }
      if (type == double.class) {
        return "0";
      }
      return type == Duration.class ? "1ms" : "";
    }

    private Object read(Settings settings) {
      @Nullable String text = settings.get(key.value());
      for (String alias : key.aliases()) {
        if (text == null) {
          text = settings.get(alias);
        }
      }
      String given = text == null ? key.defaultValue() : text.strip();
      Object value = parse(key, type, given);
      if (!min().isEmpty() && !isInRange(value)) {
        throw DbException.invalid("setting " + key.value(), range(), given);
      }
      return value;
    }

    private boolean isInRange(Object value) {
      return compare(value, parse(key, type, min())) >= 0
          && (key.max().isEmpty() || compare(value, parse(key, type, key.max())) <= 0);
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object value, Object bound) {
      return ((Comparable<Object>) value).compareTo(bound);
    }
  }

  /// The settings of the records in declaration order.
  public static List<Setting> settings(List<Class<? extends Record>> types) {
    List<Setting> settings = new ArrayList<>();
    for (Class<? extends Record> type : types) {
      for (RecordComponent component : type.getRecordComponents()) {
        settings.add(setting(type, component));
      }
    }
    return settings;
  }

  private static Setting setting(Class<?> type, RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    if (key == null) {
      throw new IllegalStateException(type + "." + component.getName() + " has no @Key");
    }
    return new Setting(key, component.getType());
  }

  private static Object parse(Key key, Class<?> type, String text) {
    try {
      if (type == int.class) {
        return Integer.parseInt(text);
      }
      if (type == long.class) {
        return Long.parseLong(text);
      }
      if (type == double.class) {
        return Double.parseDouble(text);
      }
      if (type == boolean.class) {
        return switch (text.toLowerCase(Locale.ROOT)) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new NumberFormatException(text);
        };
      }
      if (type == Duration.class) {
        return duration(text, key.unit());
      }
      if (type == String.class) {
        return text;
      }
    } catch (NumberFormatException e) {
      throw DbException.invalid(
              "setting " + key.value(), "a value of type " + expected(type), "'" + text + "'")
          .causedBy(e);
    }
    throw new IllegalStateException("settings of type " + type + " are not supported");
  }

  private static String expected(Class<?> type) {
    return type == Duration.class ? "duration (like 200ms, 10s, 5m, 24h)" : type.getSimpleName();
  }

  /// `200ms`, `10s`, `5m`, `24h`, `1d`, or a bare number in `unit`.
  static Duration duration(String text, String unit) {
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    String suffix = end == text.length() ? unit : text.substring(end);
    double amount = Double.parseDouble(text.substring(0, end).strip());
    double millis =
        switch (suffix.toLowerCase(Locale.ROOT)) {
          case "ms" -> 1;
          case "s" -> 1000;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          default -> throw new NumberFormatException(text);
        };
    return Duration.ofMillis(Math.round(amount * millis));
  }
}
