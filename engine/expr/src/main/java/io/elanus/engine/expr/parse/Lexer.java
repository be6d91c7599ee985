package io.elanus.engine.expr.parse;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Splits a filter into tokens, longest match first (expression contract, section 1).
///
/// Wider than the 2.6 grammar in three places, none of which changes the meaning of a legal filter:
/// identifiers may hold any letter, raw strings `r"..."` exist, and an unknown escape in a string
/// keeps its backslash.
///
/// Confined to the caller.
final class Lexer {
  private static final Map<String, TokenKind> KEYWORDS = keywords();

  private final String source;
  private final Tokens tokens;
  private int at;

  private Lexer(String source) {
    this.source = source;
    this.tokens = new Tokens(source);
  }

  static Tokens tokenize(String source) {
    Lexer lexer = new Lexer(source);
    while (lexer.next()) {}
    return lexer.tokens;
  }

  private static Map<String, TokenKind> keywords() {
    Map<String, TokenKind> words = new TreeMap<>();
    both(words, "and", TokenKind.AND);
    both(words, "or", TokenKind.OR);
    both(words, "not", TokenKind.NOT);
    both(words, "in", TokenKind.IN);
    both(words, "like", TokenKind.LIKE);
    both(words, "exists", TokenKind.EXISTS);
    both(words, "iso", TokenKind.ISO);
    both(words, "interval", TokenKind.INTERVAL);
    both(words, "minimum_should_match", TokenKind.MINIMUM_SHOULD_MATCH);
    both(words, "text_match", TokenKind.TEXT_MATCH);
    both(words, "phrase_match", TokenKind.PHRASE_MATCH);
    both(words, "random_sample", TokenKind.RANDOM_SAMPLE);
    both(words, "array_length", TokenKind.ARRAY_LENGTH);
    for (String prefix : new String[] {"json", "array"}) {
      both(words, prefix + "_contains", TokenKind.CONTAINS);
      both(words, prefix + "_contains_all", TokenKind.CONTAINS_ALL);
      both(words, prefix + "_contains_any", TokenKind.CONTAINS_ANY);
    }
    for (String spatial :
        new String[] {
          "equals", "touches", "overlaps", "crosses", "contains", "intersects", "within", "dwithin"
        }) {
      both(words, "st_" + spatial, TokenKind.SPATIAL);
    }
    for (String truth : new String[] {"true", "True", "TRUE", "false", "False", "FALSE"}) {
      words.put(truth, TokenKind.BOOLEAN);
    }
    return words;
  }

  private static void both(Map<String, TokenKind> words, String lower, TokenKind kind) {
    words.put(lower, kind);
    words.put(lower.toUpperCase(java.util.Locale.ROOT), kind);
  }

  private char peek(int ahead) {
    int i = at + ahead;
    return i < source.length() ? source.charAt(i) : '\0';
  }

  private boolean next() {
    while (at < source.length() && " \t\r\n".indexOf(source.charAt(at)) >= 0) {
      at++;
    }
    if (at >= source.length()) {
      tokens.add(TokenKind.END, source.length(), source.length());
      return false;
    }
    char c = source.charAt(at);
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      number();
    } else if (stringStart(at) >= 0) {
      int end = stringEnd(at);
      emit(TokenKind.STRING, end);
    } else if (isNameStart(at)) {
      word();
    } else if (source.startsWith("$meta", at)) {
      nameOrPath(at + 5, TokenKind.META);
    } else {
      symbol(c);
    }
    return true;
  }

  private void emit(TokenKind kind, int end) {
    tokens.add(kind, at, end);
    at = end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean isNameStart(int i) {
    char c = source.charAt(i);
    return c < 128
        ? (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        : Character.isLetter(source.codePointAt(i));
  }

  private int nameEnd(int from) {
    int i = from;
    while (i < source.length()) {
      int c = source.codePointAt(i);
      boolean part =
          c < 128
              ? (c >= 'a' && c <= 'z')
                  || (c >= 'A' && c <= 'Z')
                  || (c >= '0' && c <= '9')
                  || c == '_'
              : Character.isLetterOrDigit(c) || Character.getType(c) == Character.NON_SPACING_MARK;
      if (!part) {
        break;
      }
      i += Character.charCount(c);
    }
    return i;
  }

  private void word() {
    int end = nameEnd(at);
    String word = source.substring(at, end);
    if (word.equals("is") && source.startsWith("is not null", at)) {
      emit(TokenKind.IS_NOT_NULL, at + 11);
    } else if (word.equals("IS") && source.startsWith("IS NOT NULL", at)) {
      emit(TokenKind.IS_NOT_NULL, at + 11);
    } else if (source.startsWith("is null", at) || source.startsWith("IS NULL", at)) {
      emit(TokenKind.IS_NULL, at + 7);
    } else {
      TokenKind keyword = KEYWORDS.get(word);
      if (keyword != null) {
        emit(keyword, end);
      } else {
        nameOrPath(end, TokenKind.IDENTIFIER);
      }
    }
  }

  /// A name that ended at `end`, or a path when bracketed keys follow at once.
  private void nameOrPath(int end, TokenKind plain) {
    int pathEnd = end;
    while (true) {
      int keyEnd = bracketEnd(pathEnd);
      if (keyEnd < 0) {
        break;
      }
      pathEnd = keyEnd;
    }
    emit(pathEnd == end ? plain : TokenKind.PATH, pathEnd);
  }

  /// End of `["key"]` or `[0]` standing at `from`, else -1.
  private int bracketEnd(int from) {
    if (from >= source.length() || source.charAt(from) != '[') {
      return -1;
    }
    int i = from + 1;
    if (i < source.length() && stringStart(i) >= 0) {
      i = tryStringEnd(i);
      if (i < 0) {
        return -1;
      }
    } else {
      int digits = i;
      while (i < source.length() && isDigit(source.charAt(i))) {
        i++;
      }
      if (i == digits || (source.charAt(digits) == '0' && i > digits + 1)) {
        return -1;
      }
    }
    return i < source.length() && source.charAt(i) == ']' ? i + 1 : -1;
  }

  /// Index of the opening quote of a string literal that begins at `i`, else -1.
  private int stringStart(int i) {
    char c = source.charAt(i);
    if (c == '"' || c == '\'') {
      return i;
    }
    int prefix = 0;
    if (source.startsWith("u8", i)) {
      prefix = 2;
    } else if (c == 'u' || c == 'U' || c == 'L' || c == 'r' || c == 'R') {
      prefix = 1;
    }
    if (prefix == 0 || i + prefix >= source.length()) {
      return -1;
    }
    char quote = source.charAt(i + prefix);
    return quote == '"' || quote == '\'' ? i + prefix : -1;
  }

  private int stringEnd(int from) {
    int end = tryStringEnd(from);
    if (end < 0) {
      throw Tokens.failureAt(
          source, from, "token recognition error at: '" + source.substring(from) + "'");
    }
    return end;
  }

  private int tryStringEnd(int from) {
    int open = stringStart(from);
    char quote = source.charAt(open);
    for (int i = open + 1; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == quote) {
        return i + 1;
      }
      if (c == '\n' || c == '\r') {
        return -1;
      }
      if (c == '\\') {
        i++;
        if (i < source.length() && (source.charAt(i) == '\n' || source.charAt(i) == '\r')) {
          return -1;
        }
      }
    }
    return -1;
  }

  private void number() {
    int end = hexFloatEnd();
    if (end > 0) {
      emit(TokenKind.FLOATING, end);
      return;
    }
    char second = peek(1);
    if (source.charAt(at) == '0' && (second == 'x' || second == 'X') && isHex(peek(2))) {
      emit(TokenKind.INTEGER, run(at + 2, true));
      return;
    }
    if (source.charAt(at) == '0' && (second == 'b' || second == 'B') && isBinary(peek(2))) {
      int i = at + 2;
      while (i < source.length() && isBinary(source.charAt(i))) {
        i++;
      }
      emit(TokenKind.INTEGER, i);
      return;
    }
    int digits = run(at, false);
    int i = digits;
    boolean floating = false;
    if (i < source.length() && source.charAt(i) == '.') {
      floating = true;
      i = run(i + 1, false);
    }
    int exponent = exponentEnd(i, 'e');
    if (exponent > 0) {
      floating = true;
      i = exponent;
    }
    if (!floating && source.charAt(at) == '0') {
      i = at + 1;
      while (i < digits && source.charAt(i) < '8') {
        i++;
      }
    }
    emit(floating ? TokenKind.FLOATING : TokenKind.INTEGER, i);
  }

  private int hexFloatEnd() {
    char second = peek(1);
    if (source.charAt(at) != '0' || (second != 'x' && second != 'X')) {
      return -1;
    }
    int i = run(at + 2, true);
    int digits = i - at - 2;
    if (i < source.length() && source.charAt(i) == '.') {
      int fraction = run(i + 1, true);
      digits += fraction - i - 1;
      i = fraction;
    }
    return digits == 0 ? -1 : exponentEnd(i, 'p');
  }

  private int exponentEnd(int i, char marker) {
    if (i >= source.length() || (source.charAt(i) | 0x20) != marker) {
      return -1;
    }
    int j = i + 1;
    if (j < source.length() && (source.charAt(j) == '+' || source.charAt(j) == '-')) {
      j++;
    }
    int end = run(j, false);
    return end == j ? -1 : end;
  }

  private int run(int from, boolean hex) {
    int i = from;
    while (i < source.length() && (hex ? isHex(source.charAt(i)) : isDigit(source.charAt(i)))) {
      i++;
    }
    return i;
  }

  private static boolean isHex(char c) {
    return c < 128 && Character.digit(c, 16) >= 0;
  }

  private static boolean isBinary(char c) {
    return c == '0' || c == '1';
  }

  private void symbol(char c) {
    char second = peek(1);
    TokenKind two = twoCharacters(c, second);
    if (two != null) {
      emit(two, at + 2);
      return;
    }
    TokenKind one =
        switch (c) {
          case '(' -> TokenKind.LPAREN;
          case ')' -> TokenKind.RPAREN;
          case '[' -> TokenKind.LBRACKET;
          case ']' -> TokenKind.RBRACKET;
          case '{' -> TokenKind.LBRACE;
          case '}' -> TokenKind.RBRACE;
          case ',' -> TokenKind.COMMA;
          case '=' -> TokenKind.ASSIGN;
          case '<' -> TokenKind.LT;
          case '>' -> TokenKind.GT;
          case '+' -> TokenKind.PLUS;
          case '-' -> TokenKind.MINUS;
          case '*' -> TokenKind.STAR;
          case '/' -> TokenKind.SLASH;
          case '%' -> TokenKind.PERCENT;
          case '&' -> TokenKind.BIT_AND;
          case '|' -> TokenKind.BIT_OR;
          case '^' -> TokenKind.BIT_XOR;
          case '~' -> TokenKind.BIT_NOT;
          case '!' -> TokenKind.NOT;
          default ->
              throw Tokens.failureAt(
                  source,
                  at,
                  "token recognition error at: '"
                      + Character.toString(source.codePointAt(at))
                      + "'");
        };
    emit(one, at + 1);
  }

  private static @Nullable TokenKind twoCharacters(char first, char second) {
    return switch (first) {
      case '<' -> second == '=' ? TokenKind.LE : second == '<' ? TokenKind.SHIFT_LEFT : null;
      case '>' -> second == '=' ? TokenKind.GE : second == '>' ? TokenKind.SHIFT_RIGHT : null;
      case '=' -> second == '=' ? TokenKind.EQ : null;
      case '!' -> second == '=' ? TokenKind.NE : null;
      case '*' -> second == '*' ? TokenKind.POWER : null;
      case '&' -> second == '&' ? TokenKind.AND : null;
      case '|' -> second == '|' ? TokenKind.OR : null;
      default -> null;
    };
  }
}
