package io.elanus.engine.expr.parse;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tokens of a filter as parallel arrays, with the filter's text; the last one is
/// [TokenKind#END].
///
/// Confined to the caller.
final class Tokens {
  private final String source;
  private @Nullable TokenKind[] kinds = new TokenKind[32];
  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private int size;

  Tokens(String source) {
    this.source = source;
  }

  void add(TokenKind kind, int start, int end) {
    if (size == kinds.length) {
      kinds = Arrays.copyOf(kinds, size * 2);
      starts = Arrays.copyOf(starts, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
    }
    kinds[size] = kind;
    starts[size] = start;
    ends[size] = end;
    size++;
  }

  /// The kind at `index`; END past the last token.
  TokenKind kind(int index) {
    return Objects.requireNonNull(kinds[Math.min(index, size - 1)]);
  }

  String text(int index) {
    int at = Math.min(index, size - 1);
    return kinds[at] == TokenKind.END ? "<EOF>" : source.substring(starts[at], ends[at]);
  }

  /// The texts of tokens `from .. to`, without the blanks between them.
  String text(int from, int to) {
    StringBuilder out = new StringBuilder();
    for (int i = from; i < Math.min(to, size - 1); i++) {
      out.append(source, starts[i], ends[i]);
    }
    return out.toString();
  }

  /// `line L:C message` for the token at `index`, query plan failure.
  ParseFailure failure(int index, String message) {
    return failureAt(source, starts[Math.min(index, size - 1)], message);
  }

  /// `line L:C message` for a character; lines count from 1, columns from 0.
  static ParseFailure failureAt(String source, int offset, String message) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < offset; i++) {
      if (source.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    int column = source.codePointCount(lineStart, offset);
    return ParseFailure.plan("line " + line + ":" + column + " " + message);
  }
}
