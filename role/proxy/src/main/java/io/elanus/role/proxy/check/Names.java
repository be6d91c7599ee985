package io.elanus.role.proxy.check;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.util.Set;
import java.util.TreeSet;

/// Rules of names (limits contract, section 1). Each check throws with the documented text.
///
/// Thread-safe: stateless.
public final class Names {
  public static final int MAX_LENGTH = 255;

  private static final Set<String> KEYWORDS = keywords();

  private Names() {}

  private static Set<String> keywords() {
    Set<String> words = new TreeSet<>();
    String[] bothCases = {
      "exists", "json_contains", "json_contains_all", "json_contains_any", "array_contains",
      "array_contains_all", "array_contains_any", "array_length", "text_match", "phrase_match",
      "random_sample"
    };
    for (String word : bothCases) {
      words.add(word);
      words.add(word.toUpperCase(java.util.Locale.ROOT));
    }
    String[] exact = {
      "$meta", "like", "and", "or", "not", "in", "true", "True", "TRUE", "false", "False", "FALSE"
    };
    words.addAll(java.util.List.of(exact));
    return words;
  }

  public static void collection(String name) {
    collectionOrAlias(name, "name");
  }

  public static void alias(String name) {
    collectionOrAlias(name, "alias");
  }

  private static void collectionOrAlias(String name, String what) {
    if (name.isEmpty()) {
      throw DbException.invalid("collection " + what + " should not be empty");
    }
    String head = "Invalid collection " + what + ": " + name + ". ";
    if (isTooLong(name)) {
      throw DbException.invalid(
          head + "the length of a collection " + what + " must be less than 255 characters");
    }
    if (!isNameStart(name.charAt(0))) {
      throw DbException.invalid(
          head
              + "the first character of a collection "
              + what
              + " must be an underscore or letter");
    }
    if (!isWord(name)) {
      throw DbException.invalid(
          head + "collection " + what + " can only contain numbers, letters and underscores");
    }
  }

  public static void database(String name) {
    String fault = null;
    if (name.isEmpty()) {
      fault = "database name couldn't be empty";
    } else if (isTooLong(name)) {
      fault = "the length of a database name must be less than 255 characters";
    } else if (!isNameStart(name.charAt(0))) {
      fault = "the first character of a database name must be an underscore or letter";
    } else if (!isWord(name)) {
      fault = "database name can only contain numbers, letters and underscores";
    }
    if (fault != null) {
      throw DbException.verbatim(
          ErrorCode.DATABASE_INVALID_NAME,
          fault + ": " + ErrorCode.DATABASE_INVALID_NAME.text() + "[database=" + name + "]");
    }
  }

  /// `strict` for names that are made; names that are only read may hold any characters.
  public static void partition(String untrimmed, boolean strict) {
    String name = untrimmed.strip();
    String head = "Invalid partition name: " + name + ". ";
    if (name.isEmpty()) {
      throw DbException.invalid(head + "Partition name should not be empty.");
    }
    if (isTooLong(name)) {
      throw DbException.invalid(
          head + "The length of a partition name must be less than 255 characters.");
    }
    if (!strict) {
      return;
    }
    if (!isNameStart(name.charAt(0)) && !isDigit(name.charAt(0))) {
      throw DbException.invalid(
          head + "The first character of a partition name must be an underscore or letter.");
    }
    for (int i = 1; i < name.length(); i++) {
      if (!isNamePart(name.charAt(i)) && name.charAt(i) != '-') {
        throw DbException.invalid(
            head + "Partition name can only contain numbers, letters and underscores.");
      }
    }
  }

  public static void field(String untrimmed) {
    String name = untrimmed.strip();
    if (name.isEmpty()) {
      throw badField(name, "field name should not be empty");
    }
    String head = "Invalid field name: " + name + ". ";
    if (isTooLong(name)) {
      throw badField(name, head + "The length of a field name must be less than 255 characters.");
    }
    if (!isNameStart(name.charAt(0))) {
      throw badField(
          name, head + "The first character of a field name must be an underscore or letter.");
    }
    if (!isWord(name)) {
      throw badField(name, head + "Field name can only contain numbers, letters, and underscores.");
    }
    if (KEYWORDS.contains(name)) {
      throw badField(name, head + name + " is keyword in milvus.");
    }
  }

  private static DbException badField(String name, String message) {
    return DbException.verbatim(
            ErrorCode.FIELD_INVALID_NAME,
            message + ": " + ErrorCode.FIELD_INVALID_NAME.text() + "[field=" + name + "]")
        .asInput();
  }

  /// An empty name is legal and stands for the default one.
  public static void index(String untrimmed) {
    String name = untrimmed.strip();
    if (name.isEmpty()) {
      return;
    }
    String head = "Invalid index name: " + name + ". ";
    if (isTooLong(name)) {
      throw DbException.invalid(
          head + "The length of a index name must be less than 255 characters.");
    }
    if (!isNameStart(name.charAt(0))) {
      throw DbException.invalid(
          head + "The first character of a index name must be an underscore or letter.");
    }
    if (!isWord(name)) {
      throw DbException.invalid(
          head + "Index name can only contain numbers, letters, and underscores.");
    }
  }

  private static boolean isTooLong(String name) {
    return name.length() > MAX_LENGTH
        || name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MAX_LENGTH;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
  }

  private static boolean isWord(String name) {
    for (int i = 1; i < name.length(); i++) {
      if (!isNamePart(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
