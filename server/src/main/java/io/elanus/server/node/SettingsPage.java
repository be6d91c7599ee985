package io.elanus.server.node;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Key;

/// The reference page of settings, made from the configuration records.
///
/// Thread-safe: stateless.
public final class SettingsPage {
  private SettingsPage() {}

  /// Markdown: one row a key.
  public static String render() {
    StringBuilder page = new StringBuilder();
    page.append("# Settings\n\n");
    page.append(
        "Given in a YAML file (`--config`, nested or dotted keys, as in milvus.yaml) or one by one");
    page.append(
        " (`--set key=value`). Keys are\ncompared without regard to case. Durations take `ms`,");
    page.append(" `s`, `m`, `h`, `d`; a bare number has the unit shown.\n\n");
    page.append("| key | default | unit | meaning |\n| --- | --- | --- | --- |\n");
    for (Key key : ConfigBinder.keys(NodeSettings.records())) {
      page.append("| `").append(key.value()).append("` | `").append(key.defaultValue());
      page.append("` | ").append(key.unit()).append(" | ").append(key.doc());
      if (key.aliases().length > 0) {
        page.append(" Also `").append(String.join("`, `", key.aliases())).append("`.");
      }
      page.append(" |\n");
    }
    return page.toString();
  }
}
