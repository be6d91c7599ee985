package io.elanus.base.column;

import java.util.Arrays;

/// A list of primary keys: all INT64 or all VARCHAR.
///
/// Arrays are owned by the record once passed in; nobody may write them afterwards.
public sealed interface PrimaryKeys {
  int size();

  /// The key at `index` as a boxed `Long` or a `String`, for edges and tests.
  Object keyAt(int index);

  /// The keys of `indexes`, in that order.
  PrimaryKeys take(int[] indexes);

  /// Compares two keys of two lists of the same kind: numbers by value, text by its UTF-8 bytes.
  static int compare(PrimaryKeys a, int i, PrimaryKeys b, int j) {
    return switch (a) {
      case Longs longs -> Long.compare(longs.values[i], ((Longs) b).values[j]);
      case Texts texts -> compareUtf8(texts.values[i], ((Texts) b).values[j]);
    };
  }

  /// The order of the UTF-8 bytes, which differs from `String.compareTo` on surrogates only.
  static int compareUtf8(String a, String b) {
    int n = Math.min(a.length(), b.length());
    for (int i = 0; i < n; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean sx = Character.isSurrogate(x);
        boolean sy = Character.isSurrogate(y);
        return sx == sy ? Character.compare(x, y) : sx ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  static PrimaryKeys of(long... keys) {
    return new Longs(keys);
  }

  static PrimaryKeys of(String... keys) {
    return new Texts(keys);
  }

  /// Reads a primary-key column (INT64 or VARCHAR).
  static PrimaryKeys ofColumn(Column column) {
    int rows = column.rows();
    if (column.offsets() == null) {
      long[] keys = new long[rows];
      for (int i = 0; i < rows; i++) {
        keys[i] = column.longAt(i);
      }
      return new Longs(keys);
    }
    String[] keys = new String[rows];
    for (int i = 0; i < rows; i++) {
      keys[i] = column.textAt(i);
    }
    return new Texts(keys);
  }

  record Longs(long[] values) implements PrimaryKeys {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public Object keyAt(int index) {
      return values[index];
    }

    @Override
    public PrimaryKeys take(int[] indexes) {
      long[] taken = new long[indexes.length];
      for (int i = 0; i < taken.length; i++) {
        taken[i] = values[indexes[i]];
      }
      return new Longs(taken);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Longs(long[] v) && Arrays.equals(values, v);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
      return size() + " int64 keys";
    }
  }

  record Texts(String[] values) implements PrimaryKeys {
    @Override
    public int size() {
      return values.length;
    }

    @Override
    public Object keyAt(int index) {
      return values[index];
    }

    @Override
    public PrimaryKeys take(int[] indexes) {
      String[] taken = new String[indexes.length];
      for (int i = 0; i < taken.length; i++) {
        taken[i] = values[indexes[i]];
      }
      return new Texts(taken);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Texts(String[] v) && Arrays.equals(values, v);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
      return size() + " varchar keys";
    }
  }
}
