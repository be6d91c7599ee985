package io.elanus.server.node;

import io.elanus.base.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads a YAML file into flat settings: `a: {b: 1}` and `a.b: 1` both give `a.b`.
///
/// Thread-safe: stateless.
public final class ConfigFile {
  private ConfigFile() {}

  public static Settings read(Path file) throws StartupException {
    Map<String, String> flat = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file)) {
      Object root =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromInputStream(in);
      if (root != null) {
        if (!(root instanceof Map<?, ?> map)) {
          throw new StartupException(file + " should hold keys and values in YAML", null);
        }
        flatten("", map, flat);
      }
    } catch (NoSuchFileException e) {
      throw new StartupException("config file " + file + " does not exist", e);
    } catch (IOException e) {
      throw new StartupException("config file " + file + " can't be read: " + e.getMessage(), e);
    } catch (YamlEngineException e) {
      throw new StartupException("config file " + file + " is not YAML: " + problem(e), e);
    }
    return Settings.of(flat);
  }

  private static String problem(YamlEngineException e) {
    if (e instanceof MarkedYamlEngineException marked && marked.getProblemMark().isPresent()) {
      Mark mark = marked.getProblemMark().get();
      return "line "
          + (mark.getLine() + 1)
          + ", column "
          + (mark.getColumn() + 1)
          + ": "
          + marked.getProblem();
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static void flatten(String prefix, Map<?, ?> map, Map<String, String> out) {
    map.forEach((key, value) -> {
      String name = prefix.isEmpty() ? String.valueOf(key) : prefix + "." + key;
      put(name, value, out);
    });
  }

  private static void put(String name, @Nullable Object value, Map<String, String> out) {
    switch (value) {
      case null -> {}
      case Map<?, ?> nested -> flatten(name, nested, out);
      case Collection<?> list ->
          out.put(name, String.join(",", list.stream().map(String::valueOf).toList()));
      default -> out.put(name, value.toString());
    }
  }
}
