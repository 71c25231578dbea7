package dev.weir.bench.blast;

import dev.weir.workflow.run.Mode;

/**
 * How many replicas the database has, and how the workflow runs.
 *
 * @param label what it is called in tables
 * @param mode how much is made of what is known about the data
 * @param replication of what no hint is for
 * @param hint of the database's files; empty for none, or to have it inferred
 */
record Replicas(String label, Mode mode, int replication, String hint) {
  private static final int STOCK = 3;

  /**
   * Reads a choice.
   *
   * @param text a number, {@code auto} for the runner's own choice, {@code stock} for Hadoop's
   *     three replicas and first come, first served
   * @throws IllegalArgumentException when it is none of these
   */
  static Replicas parse(String text) {
    if (text.equals("auto")) {
      return new Replicas("auto", Mode.WEIR, STOCK, "");
    }
    if (text.equals("stock")) {
      return new Replicas("stock-r3", Mode.STOCK, STOCK, "");
    }
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException("Replicas '" + text + "': write a number, auto or stock");
    }
    return new Replicas("r" + text, Mode.WEIR, STOCK, "broadcast=" + text);
  }

  boolean hinted() {
    return mode == Mode.WEIR;
  }
}
