package dev.weir.bench.patterns;

import java.util.Locale;

/** The sizes of data in the study of workflow-aware storage. */
enum PatternSize {
  SMALL(1_000),
  MEDIUM(1_000_000),
  LARGE(10_000_000);

  private final long unit;

  PatternSize(long unit) {
    this.unit = unit;
  }

  /** Returns the unit of a pattern's sizes, in bytes. */
  long unit() {
    return unit;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
