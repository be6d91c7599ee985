package io.elanus.role.proxy.plan;

import io.elanus.base.error.DbException;
import io.elanus.base.id.FieldId;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.FieldSchema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Output fields of a request, resolved (search contract, section 2).
///
/// `fields` come in schema order, without the primary key, which is built from the keys; `names`
/// are the user's, each once. `dynamicKeys` are the keys to keep of `$meta`, empty for the whole
/// object.
///
/// Immutable.
public record OutputPlan(
    List<FieldSchema> fields, List<String> names, Set<String> dynamicKeys, boolean primaryKey) {

  public List<FieldId> fieldIds() {
    List<FieldId> ids = new ArrayList<>(fields.size());
    for (FieldSchema field : fields) {
      ids.add(field.id());
    }
    return ids;
  }

  /// Resolves `asked`; error 1100 for a field that doesn't exist or can't be fetched.
  public static OutputPlan of(List<String> asked, CollectionSchema schema) {
    Set<String> names = new LinkedHashSet<>();
    Set<String> fetched = new TreeSet<>();
    Set<String> dynamicKeys = new TreeSet<>();
    boolean wholeDynamic = false;
    for (String untrimmed : asked) {
      String name = untrimmed.strip();
      if (name.equals("*")) {
        for (FieldSchema field : schema.fields()) {
          names.add(field.name());
          fetched.add(field.name());
        }
        wholeDynamic = true;
      } else if (schema.field(name) != null) {
        names.add(name);
        fetched.add(name);
        wholeDynamic |= name.equals(CollectionSchema.DYNAMIC_FIELD);
      } else if (schema.dynamicField() != null) {
        names.add(name);
        fetched.add(CollectionSchema.DYNAMIC_FIELD);
        dynamicKeys.add(dynamicKey(name, schema));
      } else {
        throw DbException.invalid("field " + name + " not exist");
      }
    }
    List<FieldSchema> fields = new ArrayList<>();
    boolean primaryKey = false;
    for (FieldSchema field : schema.fields()) {
      if (fetched.contains(field.name())) {
        if (field.isPrimaryKey()) {
          primaryKey = true;
        } else {
          fields.add(field);
        }
      }
    }
    return new OutputPlan(
        List.copyOf(fields), List.copyOf(names), wholeDynamic ? Set.of() : dynamicKeys, primaryKey);
  }

  /// `key` of `key` or `$meta["key"]`; anything deeper is refused.
  private static String dynamicKey(String name, CollectionSchema schema) {
    int bracket = name.indexOf('[');
    String root = bracket < 0 ? name : name.substring(0, bracket);
    if (bracket < 0) {
      if (!isIdentifier(name)) {
        throw unreadable(name);
      }
      return name;
    }
    String inner = name.substring(bracket);
    boolean oneKey =
        root.equals(CollectionSchema.DYNAMIC_FIELD)
            && schema.field(root) != null
            && inner.indexOf('[', 1) < 0
            && inner.length() >= 5
            && ((inner.startsWith("[\"") && inner.endsWith("\"]"))
                || (inner.startsWith("['") && inner.endsWith("']")));
    if (!oneKey) {
      throw unreadable(name);
    }
    return inner.substring(2, inner.length() - 2);
  }

  private static boolean isIdentifier(String name) {
    if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c != '_' && !Character.isLetterOrDigit(c)) {
        return false;
      }
    }
    return true;
  }

  private static DbException unreadable(String name) {
    return DbException.invalid("parse output field name failed: " + name);
  }
}
