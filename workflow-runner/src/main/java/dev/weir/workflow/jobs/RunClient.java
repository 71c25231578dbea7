package dev.weir.workflow.jobs;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

/**
 * Gives runs to a session and waits for them. The plan of a run is in its directory in HDFS, and
 * its session leaves its record there. A session whose ApplicationMaster is started anew is found
 * again. Thread-safe.
 */
public final class RunClient {

  /** The longest wait of one request. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private static final String RUNS = "/v1/runs";

  private final SessionChannel channel;

  /**
   * Creates a client of a session.
   *
   * @param locator finds the session
   * @param timeout how long the session may not answer
   */
  public RunClient(SessionLocator locator, Duration timeout, Clock clock) {
    this.channel = new SessionChannel(locator, timeout, clock);
  }

  /**
   * Loads what a request needs, which takes longer than the request: to be called on another thread
   * while a caller still finds out what to ask. Idempotent.
   */
  public static void prepare() {
    SessionChannel.prepare();
  }

  /**
   * Asks how the session is.
   *
   * @throws JobException when the session has ended: 410
   */
  public SessionStatus session() throws IOException, InterruptedException {
    String answer = channel.send("GET", JobClient.SESSION, "", Duration.ZERO);
    return StatusCodec.parsed(() -> StatusCodec.readSession(answer));
  }

  /**
   * Gives a run to the session, which reads its plan. Submitted twice it is the same run; when this
   * returns it will be done also if the session's ApplicationMaster dies.
   *
   * @throws JobException when the session refuses the run (4xx) or has ended (410)
   * @throws IOException when the session does not answer; it may have taken the run
   * @throws InterruptedException when the thread is interrupted; the session may have taken the run
   */
  public void submit(String id) throws IOException, InterruptedException {
    String unused = channel.send("POST", RUNS, StatusCodec.submission(id), Duration.ZERO);
  }

  /**
   * Waits for the end of a run, for as long as a session lets wait at once.
   *
   * @return the run as it is: it has ended, or goes on and is to be waited for further
   * @throws JobException when the session does not know the run (404) or has ended (410)
   */
  public RunStatus await(String id) throws IOException, InterruptedException {
    String answer =
        channel.send("GET", target(id) + "?wait=" + LONGEST_WAIT.toSeconds(), "", LONGEST_WAIT);
    return StatusCodec.parsed(() -> StatusCodec.readRun(answer));
  }

  /**
   * Ends a run. One that has ended stays as it is.
   *
   * @param timeout how long the session may not answer
   * @throws JobException when the session does not know the run (404) or has ended (410)
   */
  public void cancel(String id, Duration timeout) throws IOException, InterruptedException {
    String unused = channel.send("DELETE", target(id), "", Duration.ZERO, timeout);
  }

  /** Ids of applications need no escaping. */
  private static String target(String id) {
    return RUNS + "/" + id;
  }
}
