package dev.weir.bench.patterns;

import java.util.Locale;

/** The sizes of data in the study of workflow-aware storage. */
enum PatternSize {
  SMALL,
  MEDIUM,
  LARGE;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
