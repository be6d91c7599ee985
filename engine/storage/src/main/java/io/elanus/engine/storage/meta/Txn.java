package io.elanus.engine.storage.meta;

import io.elanus.base.error.DbException;
import java.util.ArrayList;
import java.util.List;

/// An atomic change: if every compare holds, all deletes and puts happen under one revision,
/// otherwise nothing does. A key may be named once among puts and deletes (PARAMETER_INVALID
/// otherwise), as in etcd, which also limits a transaction to 128 operations by default.
///
/// Immutable.
public record Txn(List<Compare> compares, List<Put> puts, List<Delete> deletes) {
  public Txn {
    compares = List.copyOf(compares);
    puts = List.copyOf(puts);
    deletes = List.copyOf(deletes);
    checkDisjoint(puts, deletes);
  }

  private static void checkDisjoint(List<Put> puts, List<Delete> deletes) {
    List<String> keys = new ArrayList<>(puts.size());
    for (Put put : puts) {
      keys.add(put.key());
    }
    keys.sort(Keys::compare);
    for (int i = 1; i < keys.size(); i++) {
      if (keys.get(i).equals(keys.get(i - 1))) {
        throw DbException.invalid("transaction puts key " + keys.get(i) + " twice");
      }
    }
    for (Delete delete : deletes) {
      for (String key : keys) {
        if (delete.range().contains(key)) {
          throw DbException.invalid("transaction both puts and deletes key " + key);
        }
      }
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  /// An unconditional put.
  public static Txn put(String key, byte[] value) {
    return builder().put(key, value).build();
  }

  /// An unconditional delete.
  public static Txn delete(String key) {
    return builder().delete(key).build();
  }

  /// Collects the parts of a transaction.
  ///
  /// Confined to the caller.
  public static final class Builder {
    private final List<Compare> compares = new ArrayList<>();
    private final List<Put> puts = new ArrayList<>();
    private final List<Delete> deletes = new ArrayList<>();

    private Builder() {}

    public Builder when(Compare compare) {
      compares.add(compare);
      return this;
    }

    public Builder ifAbsent(String key) {
      return when(new Compare.Absent(key));
    }

    public Builder ifExists(String key) {
      return when(new Compare.Exists(key));
    }

    public Builder ifModRevision(String key, long revision) {
      return when(new Compare.ModRevision(key, revision));
    }

    public Builder ifCreateRevision(String key, long revision) {
      return when(new Compare.CreateRevision(key, revision));
    }

    public Builder ifValue(String key, byte[] value) {
      return when(new Compare.Value(key, value));
    }

    public Builder put(String key, byte[] value) {
      puts.add(new Put(key, value));
      return this;
    }

    public Builder put(String key, byte[] value, LeaseId lease) {
      puts.add(new Put(key, value, lease));
      return this;
    }

    public Builder delete(String key) {
      deletes.add(Delete.key(key));
      return this;
    }

    public Builder deletePrefix(String prefix) {
      deletes.add(Delete.prefix(prefix));
      return this;
    }

    public Builder delete(KeyRange range) {
      deletes.add(new Delete(range));
      return this;
    }

    /// True while nothing would be changed.
    public boolean isEmpty() {
      return puts.isEmpty() && deletes.isEmpty();
    }

    public Txn build() {
      return new Txn(compares, puts, deletes);
    }
  }
}
