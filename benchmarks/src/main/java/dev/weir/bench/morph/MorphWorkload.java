package dev.weir.bench.morph;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A workload of MorphStore's evaluation (MSST 2014): whole-file reads, and some writes. */
enum MorphWorkload {
  /** Popular and unpopular videos, of which some are replaced by others. */
  VIDEO(1.0, 0.02, 1),
  /** Files of a database, to which records are appended. */
  MONGODB(0.8, 0.10, 1.0 / 16);

  private final double exponent;
  private final double writeShare;
  private final double writtenPart;

  MorphWorkload(double exponent, double writeShare, double writtenPart) {
    this.exponent = exponent;
    this.writeShare = writeShare;
    this.writtenPart = writtenPart;
  }

  /** Returns the name in tables. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the exponent of the Zipf distribution of reads over files. */
  double exponent() {
    return exponent;
  }

  /** Returns the share of the operations that write; each file is as likely. */
  double writeShare() {
    return writeShare;
  }

  /** Returns the part of a file's first length that a write writes; 1 if it replaces the file. */
  double writtenPart() {
    return writtenPart;
  }

  /** Returns whether a write replaces the file; otherwise it appends. */
  boolean replaces() {
    return writtenPart == 1;
  }

  /** Returns the published capacities, as multiples of one replica of each file. */
  List<Double> budgets() {
    return switch (this) {
      case VIDEO -> List.of(1.2, 1.6, 2.2);
      case MONGODB -> List.of(1.25, 1.75, 2.5);
    };
  }

  /**
   * Returns the workload of a label.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  static MorphWorkload ofLabel(String label) {
    return Arrays.stream(values())
        .filter(one -> one.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no workload '"
                        + label
                        + "': write some of "
                        + String.join(
                            ",", Arrays.stream(values()).map(MorphWorkload::label).toList())));
  }
}
