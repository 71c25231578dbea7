package dev.weir.workflow.run;

import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Ends a session that takes runs and jobs: nothing is left of it but what it has taught. */
public final class SessionClosing {

  private final Staging staging;
  private final Last last;

  /** What ends with a session. */
  public interface Services {

    /**
     * Sees that this ApplicationMaster is the one to end the session and its runs; goes on when
     * nobody knows.
     *
     * @throws IOException when another one has taken its place
     */
    void requireLast() throws IOException;

    /** Sends the workers home, and waits for them for a bounded time. */
    void finish();

    /**
     * Tells YARN that the application has ended.
     *
     * @param failure why it has not succeeded; null when it has
     * @param remark what else is to be said; empty for nothing
     * @throws IOException when YARN does not take it
     */
    void unregister(@Nullable RunFailure failure, String remark) throws IOException;
  }

  /** What is done when the workers are gone and YARN knows of nothing yet. */
  @FunctionalInterface
  public interface Last {

    /** Does it; blocks. */
    void run() throws IOException, InterruptedException;
  }

  /**
   * The end of a session.
   *
   * @param staging its directory
   * @param last ends its runs and writes down what it has taught
   */
  public SessionClosing(Staging staging, Last last) {
    this.staging = staging;
    this.last = last;
  }

  /**
   * Ends the session, and its registration with YARN.
   *
   * @param failure why it has ended by itself; null when somebody wanted that
   * @throws IOException when YARN does not take the end, or another ApplicationMaster has taken the
   *     place of this one: then that one goes on with all that is there
   */
  public void close(Services services, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    services.requireLast();
    // Before anything that HDFS may keep for long.
    services.finish();
    last.run();
    services.unregister(failure, "");
    // After that, for YARN does not take the end of one that it has replaced.
    staging.delete();
  }
}
