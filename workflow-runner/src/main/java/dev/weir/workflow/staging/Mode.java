package dev.weir.workflow.staging;

import java.util.Locale;

/** How placement and scheduling use knowledge about a run's data. */
public enum Mode {
  /**
   * Not at all: HDFS places blocks by default, and tasks are scheduled first come, first served.
   */
  STOCK,
  /** HDFS places blocks by default, and tasks are scheduled near their inputs. */
  LOCALITY,
  /**
   * HDFS places blocks according to the workflow's graph, and tasks are scheduled near their
   * inputs.
   */
  WEIR;

  /**
   * Returns the name on the command line and in records.
   *
   * @return {@code stock}, {@code locality} or {@code weir}
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
