package dev.weir.bench.blast;

import dev.weir.workflow.staging.Mode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The replicas of the database, and the mode of the run.
 *
 * @param label the label in tables
 * @param mode how much the run uses of Weir
 * @param replication the replication of files without a hint
 * @param hint of the database's files; empty for none, or to have it inferred
 */
record ReplicaSetting(String label, Mode mode, int replication, String hint) {
  /** The label of Hadoop without Weir. */
  static final String STOCK_LABEL = "stock-r3";

  private static final int STOCK = 3;

  /**
   * Parses a setting.
   *
   * @param text a number, {@code auto} for the runner's own choice, {@code stock} for Hadoop's
   *     three replicas and tasks in order of arrival
   * @throws IllegalArgumentException if it is none of these
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

  /** Returns the setting with a label. */
  static ReplicaSetting ofLabel(String label) {
    return label.equals(STOCK_LABEL)
        ? parse("stock")
        : parse(label.startsWith("r") ? label.substring(1) : label);
  }

  /** Returns the position in tables: stock first, then by number, the runner's own choice last. */
  int position() {
    if (label.equals(STOCK_LABEL)) {
      return 0;
    }
    return label.startsWith("r") ? Integer.parseInt(label.substring(1)) : Integer.MAX_VALUE;
  }

  /** Returns the minimum number of nodes. */
  int nodes() {
    return hint.isEmpty() ? replication : Math.max(replication, position());
  }

  boolean hinted() {
    return mode == Mode.WEIR;
  }

  /** Parses settings of the command line. */
  static final class Converter implements ITypeConverter<ReplicaSetting> {
    /** Used by picocli. */
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
