package dev.weir.bench.series;

import dev.weir.workflow.run.Mode;
import java.util.Locale;

/** How a workflow is run. */
public enum Setup {
  /** Stock HDFS with three replicas, tasks first come first served. */
  STOCK_R3(Mode.STOCK, 3),
  /** Stock HDFS with one replica. */
  STOCK_R1(Mode.STOCK, 1),
  /** Stock HDFS with three replicas, tasks where their bytes are. */
  DISPATCH_R3(Mode.LOCALITY, 3),
  /** The same with one replica. */
  DISPATCH_R1(Mode.LOCALITY, 1),
  /** Everything on; three replicas of what has no hint. */
  WEIR(Mode.WEIR, 3);

  private final Mode mode;
  private final int replication;

  Setup(Mode mode, int replication) {
    this.mode = mode;
    this.replication = replication;
  }

  /** How much is made of what is known about the data. */
  public Mode mode() {
    return mode;
  }

  /** Replicas of the inputs and of what the workflow writes without a hint. */
  public int replication() {
    return replication;
  }

  /** Whether data and tasks go where they would without Weir. */
  public boolean isStock() {
    return mode == Mode.STOCK;
  }

  /** What it is called in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
