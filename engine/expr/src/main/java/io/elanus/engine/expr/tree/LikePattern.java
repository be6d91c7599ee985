package io.elanus.engine.expr.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A LIKE pattern over UTF-8 bytes: `%` any run, `_` one code point, `\%` and `\_` the characters
/// themselves; any other backslash stands for itself. Case-sensitive, whole value.
///
/// A pattern is split at its `%` runs into pieces. The first piece is anchored at the start unless
/// a `%` leads, the last one at the end unless a `%` trails, the others are found left to right,
/// first occurrence first; so time is linear in the value for patterns without `_` inside middle
/// pieces and value × piece at worst.
///
/// Immutable.
public final class LikePattern {
  private static final int ANY_CODE_POINT = -1;

  private final String text;
  private final int[][] pieces;
  private final boolean openStart;
  private final boolean openEnd;
  private final int minBytes;
  private final @Nullable String literalPrefix;

  private LikePattern(
      String text,
      int[][] pieces,
      boolean openStart,
      boolean openEnd,
      @Nullable String literalPrefix) {
    this.text = text;
    this.literalPrefix = literalPrefix;
    this.pieces = pieces;
    this.openStart = openStart;
    this.openEnd = openEnd;
    int min = 0;
    for (int[] piece : pieces) {
      min += piece.length;
    }
    this.minBytes = min;
  }

  /// Every text is a legal pattern.
  public static LikePattern of(String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    List<int[]> pieces = new ArrayList<>();
    int[] piece = new int[raw.length];
    int size = 0;
    boolean openStart = false;
    boolean lastIsRun = false;
    for (int i = 0; i < raw.length; i++) {
      int b = raw[i] & 0xff;
      if (b == '%') {
        if (size > 0) {
          pieces.add(Arrays.copyOf(piece, size));
          size = 0;
        } else if (pieces.isEmpty()) {
          openStart = true;
        }
        lastIsRun = true;
        continue;
      }
      lastIsRun = false;
      if (b == '\\' && i + 1 < raw.length && (raw[i + 1] == '%' || raw[i + 1] == '_')) {
        piece[size++] = raw[++i];
      } else {
        piece[size++] = b == '_' ? ANY_CODE_POINT : b;
      }
    }
    if (size > 0) {
      pieces.add(Arrays.copyOf(piece, size));
    }
    return new LikePattern(text, pieces.toArray(int[][]::new), openStart, lastIsRun, null);
  }

  /// A pattern that matches what starts with `prefix`, taken literally.
  public static LikePattern startingWith(String prefix) {
    byte[] raw = prefix.getBytes(StandardCharsets.UTF_8);
    if (raw.length == 0) {
      return of("%");
    }
    int[] piece = new int[raw.length];
    for (int i = 0; i < raw.length; i++) {
      piece[i] = raw[i] & 0xff;
    }
    return new LikePattern(prefix + "%", new int[][] {piece}, false, true, prefix);
  }

  /// The prefix asked for when this was made by [#startingWith] from one; null otherwise.
  @Nullable String literalPrefix() {
    return literalPrefix;
  }

  /// The pattern as written.
  public String text() {
    return text;
  }

  /// Whether `value[from .. to)`, a UTF-8 text, matches.
  public boolean matches(byte[] value, int from, int to) {
    if (to - from < minBytes) {
      return false;
    }
    int at = from;
    int next = 0;
    int last = pieces.length;
    if (!openStart) {
      if (pieces.length == 0) {
        return from == to;
      }
      at = matchAt(pieces[0], value, from, to);
      if (at < 0) {
        return false;
      }
      next = 1;
      if (pieces.length == 1) {
        return openEnd || at == to;
      }
    }
    if (!openEnd) {
      last--;
    }
    for (; next < last; next++) {
      at = find(pieces[next], value, at, to);
      if (at < 0) {
        return false;
      }
    }
    return openEnd || matchesEnd(pieces[last], value, at, to);
  }

  /// End of `piece` when it stands at `at`, else -1.
  private static int matchAt(int[] piece, byte[] value, int at, int to) {
    int i = at;
    for (int wanted : piece) {
      if (i >= to) {
        return -1;
      }
      if (wanted == ANY_CODE_POINT) {
        i = Math.min(to, i + codePointBytes(value[i]));
      } else if ((value[i] & 0xff) == wanted) {
        i++;
      } else {
        return -1;
      }
    }
    return i;
  }

  private static int find(int[] piece, byte[] value, int from, int to) {
    int first = piece[0];
    for (int i = from; i + piece.length <= to; i++) {
      if (first == ANY_CODE_POINT ? isContinuation(value[i]) : (value[i] & 0xff) != first) {
        continue;
      }
      int end = matchAt(piece, value, i, to);
      if (end >= 0) {
        return end;
      }
    }
    return -1;
  }

  private static boolean matchesEnd(int[] piece, byte[] value, int from, int to) {
    int i = to;
    for (int p = piece.length - 1; p >= 0; p--) {
      if (i <= from) {
        return false;
      }
      i--;
      if (piece[p] == ANY_CODE_POINT) {
        while (i > from && isContinuation(value[i])) {
          i--;
        }
      } else if ((value[i] & 0xff) != piece[p]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xc0) == 0x80;
  }

  private static int codePointBytes(byte lead) {
    int b = lead & 0xff;
    return b < 0xc0 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
  }

  /// The pattern's meaning as a text, equal for equal patterns.
  String canonical() {
    return (openStart ? "%" : "") + Arrays.deepToString(pieces) + (openEnd ? "%" : "");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LikePattern p
        && p.openStart == openStart
        && p.openEnd == openEnd
        && Arrays.deepEquals(p.pieces, pieces);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(pieces);
  }

  @Override
  public String toString() {
    return text;
  }
}
