package dev.weir.workflow.provenance;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validates the texts of records. Databases limit their length, and PostgreSQL rejects NUL
 * characters.
 */
final class ValueChecks {
  /** The most characters of a word such as a mode or a host. */
  static final int WORD = 255;

  /** The most characters of a name or an id. */
  static final int NAME = 1_000;

  /** The most characters of a path; HDFS's limit is 8,000. */
  static final int PATH = 8_000;

  /** The most characters of a message. */
  static final int TEXT = 10_000;

  private ValueChecks() {}

  static <T> void requirePresent(String field, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException("'" + field + "' is missing; add it");
    }
  }

  static void require(String field, @Nullable String text, int most) {
    requirePresent(field, text);
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException("'" + field + "' is blank; write a value");
    }
    requireStorable(field, text, most);
  }

  static void requireStorable(String field, String text, int most) {
    if (text.length() > most) {
      throw new IllegalArgumentException(
          "'" + field + "' has " + text.length() + " characters; write at most " + most);
    }
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("'" + field + "' has a NUL; leave it out");
    }
  }

  static void requireCount(String field, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("'" + field + "' is " + count + "; write 0 or more");
    }
  }

  static String cut(String text, int most) {
    String storable = text.replace('\0', ' ');
    return storable.length() <= most ? storable : storable.substring(0, most);
  }

  /** Copies a list. A missing list is empty. */
  static <T> List<T> listOf(@Nullable List<T> given) {
    return given == null ? List.of() : List.copyOf(new ArrayList<>(given));
  }
}
