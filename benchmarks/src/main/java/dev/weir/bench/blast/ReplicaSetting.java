package dev.weir.bench.blast;

import dev.weir.workflow.run.Mode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How many replicas the database has, and how the workflow runs.
 *
 * @param label what it is called in tables
 * @param mode how much is made of what is known about the data
 * @param replication of what no hint is for
 * @param hint of the database's files; empty for none, or to have it inferred
 */
record ReplicaSetting(String label, Mode mode, int replication, String hint) {
  /** What a table calls Hadoop without Weir. */
  static final String STOCK_LABEL = "stock-r3";

  private static final int STOCK = 3;

  /**
   * Reads a choice.
   *
   * @param text a number, {@code auto} for the runner's own choice, {@code stock} for Hadoop's
   *     three replicas and first come, first served
   * @throws IllegalArgumentException when it is none of these
   */
  static ReplicaSetting parse(String text) {
    if (text.equals("auto")) {
      return new ReplicaSetting("auto", Mode.WEIR, STOCK, "");
    }
    if (text.equals("stock")) {
      return new ReplicaSetting(STOCK_LABEL, Mode.STOCK, STOCK, "");
    }
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException("Replicas '" + text + "': write a number, auto or stock");
    }
    return new ReplicaSetting("r" + text, Mode.WEIR, STOCK, "broadcast=" + text);
  }

  /** What a table has under a label. */
  static ReplicaSetting ofLabel(String label) {
    return label.equals(STOCK_LABEL)
        ? parse("stock")
        : parse(label.startsWith("r") ? label.substring(1) : label);
  }

  /** For the order of tables: stock first, then by the number, and what the runner chooses last. */
  int place() {
    if (label.equals(STOCK_LABEL)) {
      return 0;
    }
    return label.startsWith("r") ? Integer.parseInt(label.substring(1)) : Integer.MAX_VALUE;
  }

  /** How many nodes there have to be for it. */
  int nodes() {
    return hint.isEmpty() ? replication : Math.max(replication, place());
  }

  boolean hinted() {
    return mode == Mode.WEIR;
  }

  /** Reads choices from the command line. */
  static final class Converter implements ITypeConverter<ReplicaSetting> {
    /** For picocli. */
    Converter() {}

    @Override
    public ReplicaSetting convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
