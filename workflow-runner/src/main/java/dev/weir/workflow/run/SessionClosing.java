package dev.weir.workflow.run;

import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Ends a session that accepts runs and jobs: removes all of its files but the task profiles. */
public final class SessionClosing {

  private final Staging staging;
  private final Last last;

  public interface Services {

    /**
     * Checks that no other ApplicationMaster has replaced this one; returns normally when that is
     * unknown.
     *
     * @throws IOException when another one has replaced it
     */
    void requireLast() throws IOException;

    /** Shuts the workers down, and waits for them for a bounded time. */
    void finish();

    /**
     * Tells YARN that the application has ended.
     *
     * @param failure the failure; null for success
     * @param remark further diagnostics; empty for none
     * @throws IOException when YARN rejects the end
     */
    void unregister(@Nullable RunFailure failure, String remark) throws IOException;
  }

  /** The last work, after the workers have ended and before the application is unregistered. */
  @FunctionalInterface
  public interface Last {

    /** Does the work. Blocks. */
    void run() throws IOException, InterruptedException;
  }

  /**
   * Creates the end of a session.
   *
   * @param last ends the session's runs and writes the task profiles
   */
  public SessionClosing(Staging staging, Last last) {
    this.staging = staging;
    this.last = last;
  }

  /**
   * Ends the session, and its registration with YARN.
   *
   * @param failure the failure; null when a client stopped the session
   * @throws IOException when YARN rejects the end, or another ApplicationMaster has replaced this
   *     one and continues the session
   */
  public void close(Services services, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    services.requireLast();
    // First: HDFS calls may block for long.
    services.finish();
    last.run();
    services.unregister(failure, "");
    // Afterwards: YARN rejects the end of an attempt that it has replaced, which needs the files.
    staging.delete();
  }
}
