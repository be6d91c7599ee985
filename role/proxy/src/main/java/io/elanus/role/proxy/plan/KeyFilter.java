package io.elanus.role.proxy.plan;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.schema.FieldSchema;

/// The filter text that selects rows by their keys.
///
/// Thread-safe: stateless.
public final class KeyFilter {
  private KeyFilter() {}

  /// `field in [keys]`.
  public static String text(FieldSchema field, PrimaryKeys keys) {
    StringBuilder out = new StringBuilder(field.name()).append(" in [");
    switch (keys) {
      case PrimaryKeys.Longs(long[] values) -> {
        for (int i = 0; i < values.length; i++) {
          if (i > 0) {
            out.append(',');
          }
          out.append(values[i]);
        }
      }
      case PrimaryKeys.Texts(String[] values) -> {
        for (int i = 0; i < values.length; i++) {
          if (i > 0) {
            out.append(',');
          }
          Templates.text(out, values[i]);
        }
      }
    }
    return out.append(']').toString();
  }
}
