package io.elanus.server.node;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.ConfigBinder.Setting;
import io.elanus.base.config.Key;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The reference page of settings, made from the configuration records.
///
/// Thread-safe: stateless.
public final class SettingsPage {
  private static final String HEAD =
      """
      # Settings

      Given in a YAML file (`--config`, nested or dotted keys, as in milvus.yaml) or one by one (`--set key=value`). Keys are
      compared without regard to case. Durations take `ms`, `s`, `m`, `h`, `d`; a bare number has the unit shown.

      | key | default | unit | values | meaning |
      | --- | --- | --- | --- | --- |
      """;

  private SettingsPage() {}

  /// Markdown: one row a key, also when several components read it.
  public static String render() {
    Map<String, String> rows = new LinkedHashMap<>();
    for (Setting setting : ConfigBinder.settings(NodeSettings.records())) {
      rows.merge(setting.key().value(), row(setting), SettingsPage::joined);
    }
    return HEAD + String.join("", rows.values());
  }

  private static String row(Setting setting) {
    Key key = setting.key();
    String also =
        key.aliases().length == 0 ? "" : " Also `" + String.join("`, `", key.aliases()) + "`.";
    List<String> cells =
        List.of(
            "`" + key.value() + "`",
            "`" + key.defaultValue() + "`",
            key.unit(),
            setting.range(),
            key.doc() + also);
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /// Two rows of one key differ in nothing but what it means.
  private static String joined(String first, String second) {
    if (first.equals(second)) {
      return first;
    }
    int meaning = second.lastIndexOf(" | ") + 3;
    if (!first.startsWith(second.substring(0, meaning))) {
      throw new IllegalStateException("one key, two declarations: " + first + second);
    }
    return first.substring(0, first.length() - " |\n".length()) + " " + second.substring(meaning);
  }
}
