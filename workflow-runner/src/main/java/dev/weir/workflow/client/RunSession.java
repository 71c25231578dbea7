package dev.weir.workflow.client;

import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.RunStatus;
import dev.weir.workflow.record.RunState;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The session of a run, for a client that awaits or ends the run. Thread-safe. */
record RunSession(ApplicationId id, JobClient client) {

  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);

  /** A user who presses Ctrl-C twice waits for this time. */
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

  private static final long PAUSE_MILLIS = 1_000;
  private static final int SERVER_ERROR = 500;

  /** Waits for the end of a run on its own thread until closed. */
  static final class Wait implements AutoCloseable {

    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final Thread thread;

    private Wait(RunSession session, String run) {
      thread = new Thread(() -> session.await(run, end), "await-run");
      thread.setDaemon(true);
      thread.start();
    }

    /**
     * Completes with the session's last message about the run: the run has ended or is unknown, or
     * the session has ended. Fails with an {@link IOException} if the session refuses to answer.
     */
    CompletableFuture<String> end() {
      return end;
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }

  Wait await(String run) {
    return new Wait(this, run);
  }

  private void await(String run, CompletableFuture<String> end) {
    try {
      while (!end.isDone()) {
        try {
          RunStatus now = client.awaitRun(run);
          if (now.state() != RunState.RUNNING) {
            end.complete("it ended as " + now.state());
          }
        } catch (JobException e) {
          if (isUnknownOrEnded(e)) {
            end.complete(String.valueOf(e.getMessage()));
          } else if (e.status() < SERVER_ERROR) {
            end.completeExceptionally(e);
          } else {
            pause(e);
          }
        } catch (IOException e) {
          pause(e);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The wait for {} was closed", run, e);
    } catch (RuntimeException e) {
      end.completeExceptionally(e);
    }
  }

  private void pause(IOException e) throws InterruptedException {
    LOG.warn("The session {} does not answer; waiting until it does", id, e);
    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
  }

  /**
   * Returns whether the session does not know the run, or has ended. In both cases the run does not
   * continue.
   */
  private static boolean isUnknownOrEnded(JobException e) {
    return e.status() == HttpURLConnection.HTTP_NOT_FOUND
        || e.status() == HttpURLConnection.HTTP_GONE;
  }

  /**
   * Requests the session to end a run.
   *
   * @return true if the session ends it and writes its summary; false if the session does not know
   *     the run, or has ended itself
   */
  boolean kill(String run) throws IOException {
    try {
      client.cancelRun(run, KILL_TIMEOUT);
      return true;
    } catch (JobException e) {
      if (isUnknownOrEnded(e)) {
        LOG.debug("{} does not run any more", run, e);
        return false;
      }
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the session " + id + " was asked to end " + run, e);
    }
  }
}
