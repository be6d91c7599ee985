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
      values[i] = value(keyOf(type, components[i]), types[i], settings);
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
    for (Key key : keys(types)) {
      known.add(key.value());
      known.addAll(List.of(key.aliases()));
    }
    return known;
  }

  /// The keys of the records in declaration order, for the reference page.
  public static List<Key> keys(List<Class<? extends Record>> types) {
    List<Key> keys = new ArrayList<>();
    for (Class<? extends Record> type : types) {
      for (RecordComponent component : type.getRecordComponents()) {
        keys.add(keyOf(type, component));
      }
    }
    return keys;
  }

  private static Key keyOf(Class<?> type, RecordComponent component) {
    Key key = component.getAnnotation(Key.class);
    if (key == null) {
      throw new IllegalStateException(type + "." + component.getName() + " has no @Key");
    }
    return key;
  }

  private static Object value(Key key, Class<?> type, Settings settings) {
    @Nullable String text = settings.get(key.value());
    for (String alias : key.aliases()) {
      if (text == null) {
        text = settings.get(alias);
      }
    }
    return parse(key, type, text == null ? key.defaultValue() : text.strip());
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
          case "s", "" -> 1000;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          default -> throw new NumberFormatException(text);
        };
    return Duration.ofMillis(Math.round(amount * millis));
  }
}
