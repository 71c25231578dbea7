package dev.weir.workflow.staging;

import java.util.Locale;

/** How much a run makes of what is known about its data. */
public enum Mode {
  /** Nothing: HDFS places blocks as always, tasks go out first come first served. */
  STOCK,
  /** HDFS places blocks as always, tasks go where their bytes are. */
  LOCALITY,
  /** HDFS places blocks as the workflow's graph suggests, tasks go where their bytes are. */
  WEIR;

  /**
   * The name on the command line and in records.
   *
   * @return {@code stock}, {@code locality} or {@code weir}
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
