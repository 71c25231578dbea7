package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.run.Staging;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Ends a pool: nothing is left of it but what it has taught. */
final class PoolClosing {

  private final Staging staging;
  private final Runnable teach;

  /**
   * The end of a pool.
   *
   * @param staging its directory
   * @param teach writes down what it has taught; blocks, and does not fail
   */
  PoolClosing(Staging staging, Runnable teach) {
    this.staging = staging;
    this.teach = teach;
  }

  /**
   * Ends the pool, and its registration with YARN.
   *
   * @param failure why it has ended by itself; null when somebody wanted that
   * @throws IOException when YARN does not take the end, or another ApplicationMaster has taken the
   *     place of this one: then that one goes on with all that is there
   */
  void close(RunClosing.Services services, @Nullable RunFailure failure) throws IOException {
    services.requireLast();
    // Before anything that HDFS may keep for long.
    services.finish();
    teach.run();
    services.unregister(failure, "");
    // After that, for YARN does not take the end of one that it has replaced.
    staging.delete();
  }
}
