package dev.weir.it.run;

import dev.weir.workflow.jobs.Pools;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.PoolStarter;
import dev.weir.workflow.run.WorkerPlan;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** Tests of a pool of three workers on the shared cluster, which is killed in the end. */
abstract class PooledRuns extends MarkedRuns {
  static final int IDLE_SECONDS = 5;

  Pools pools;

  /** Id of the pool that was started last. */
  String pool;

  /**
   * Tests of a class.
   *
   * @param name of the directory in HDFS for its files
   */
  PooledRuns(String name) {
    super(name);
  }

  /** For a test, or in it again when it has killed the one before. */
  final void startPool() throws IOException {
    if (pools == null) {
      pools = Pools.open(cluster.configuration());
    }
    WorkerPlan workers = WorkerPlan.DEFAULT.withCount(3).elastic(0, IDLE_SECONDS);
    pool =
        new PoolStarter(cluster.configuration(), ClusterRuns.runnerJars())
            .start(new PoolStarter.Request("it", Mode.WEIR, workers, 0));
  }

  @AfterEach
  final void killPool() throws Exception {
    if (pools == null) {
      return; // The test is skipped.
    }
    try {
      pools.kill(pool);
    } finally {
      pools.close();
    }
  }
}
