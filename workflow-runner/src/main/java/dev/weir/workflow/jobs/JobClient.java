package dev.weir.workflow.jobs;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Gives jobs and runs to a session and waits for them. Jobs are for engines that order their tasks
 * themselves; the plan and the record of a run are in its directory in HDFS. A session whose
 * ApplicationMaster is started anew is found again, and nothing is lost or submitted twice by that.
 * Thread-safe.
 */
public final class JobClient {

  /** The default timeout without an answer; YARN starts an ApplicationMaster in less. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The longest wait of one request; a longer wait takes several. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** The longest wait of one request for the end of a run. */
  private static final Duration RUN_WAIT = Duration.ofSeconds(60);

  private static final String JOBS = "/v1/jobs";
  private static final String RUNS = "/v1/runs";
  private static final String SESSION = "/v1/session";

  private static final int TOO_LARGE = 413;

  private final SessionChannel channel;

  /**
   * Creates a client of a session.
   *
   * @param locator finds the session
   * @param timeout how long the session may not answer
   */
  public JobClient(SessionLocator locator, Duration timeout, Clock clock) {
    this.channel = new SessionChannel(locator, timeout, clock);
  }

  /**
   * Gives a job to the session. Said twice it is the same job; when this returns it will be done
   * also if the session's ApplicationMaster dies.
   *
   * @return what is known of it
   * @throws JobException when the session refuses it: 409 when there is another job of that id or
   *     an output is about to be made by another, 422 when an input is not there
   */
  public JobStatus submit(Job job) throws IOException, InterruptedException {
    String json = JobCodec.write(job);
    int bytes = json.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > JobCodec.MOST_BYTES) {
      throw new JobException(
          TOO_LARGE,
          ("The description of job '%s' has %s bytes, and a session takes %s: put "
                  + "what makes it large into an input")
              .formatted(job.id(), bytes, JobCodec.MOST_BYTES));
    }
    return StatusCodec.readJob(channel.send("POST", JOBS, json, Duration.ZERO));
  }

  /**
   * Asks what has become of a job.
   *
   * @return what is known
   * @throws JobException when the session does not know it: 404
   */
  public JobStatus status(String id) throws IOException, InterruptedException {
    return StatusCodec.readJob(channel.send("GET", target(id), "", Duration.ZERO));
  }

  /**
   * Waits for the end of a job.
   *
   * @param atMost how long
   * @return its status when it has ended; empty when it has not within that time
   * @throws JobException when the session does not know it: 404
   */
  public Optional<JobStatus> await(String id, Duration atMost)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      Duration wait = piece(end);
      JobStatus status =
          StatusCodec.readJob(channel.send("GET", target(id) + "?wait=" + seconds(wait), "", wait));
      if (status.state().isFinal()) {
        return Optional.of(status);
      }
      if (System.nanoTime() >= end) {
        return Optional.empty();
      }
    }
  }

  /**
   * Waits for the end of any job: what an engine with many of them wants.
   *
   * @param after 0, or what {@link EndedJobs#next} was the last time
   * @return the jobs that ended since; none when none did within that time. After a restart of the
   *     session a job may be named a second time
   */
  public EndedJobs awaitEnds(long after, Duration atMost) throws IOException, InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      Duration wait = piece(end);
      EndedJobs ended =
          StatusCodec.readJobs(
              channel.send("GET", JOBS + "?after=" + after + "&wait=" + seconds(wait), "", wait));
      if (!ended.jobs().isEmpty() || System.nanoTime() >= end) {
        return ended;
      }
    }
  }

  /**
   * Lists the jobs that the session knows.
   *
   * @return in the order in which they came
   */
  public List<JobStatus> list() throws IOException, InterruptedException {
    return StatusCodec.readJobs(channel.send("GET", JOBS, "", Duration.ZERO)).jobs();
  }

  /**
   * Cancels a job, and those that need what it would have made. One that has ended stays as it is.
   *
   * @return what is known of it
   * @throws JobException when the session does not know it: 404
   */
  public JobStatus cancel(String id) throws IOException, InterruptedException {
    return StatusCodec.readJob(channel.send("DELETE", target(id), "", Duration.ZERO));
  }

  /** Asks how the session is. */
  public SessionStatus session() throws IOException, InterruptedException {
    return StatusCodec.readSession(channel.send("GET", SESSION, "", Duration.ZERO));
  }

  /**
   * Stops the session.
   *
   * @param whenIdle whether the jobs that it has are done first; no more are taken
   */
  public SessionStatus stop(boolean whenIdle) throws IOException, InterruptedException {
    return StatusCodec.readSession(
        channel.send("DELETE", SESSION + (whenIdle ? "?when=idle" : ""), "", Duration.ZERO));
  }

  /**
   * Loads what a request needs, which takes longer than the request: to be called on another thread
   * while a caller still finds out what to ask. Idempotent.
   */
  public static void prepare() {
    SessionChannel.prepare();
  }

  /**
   * Gives a run to the session, which reads its plan. Submitted twice it is the same run; when this
   * returns it will be done also if the session's ApplicationMaster dies.
   *
   * @throws JobException when the session refuses the run (4xx) or has ended (410)
   * @throws IOException when the session does not answer; it may have taken the run
   * @throws InterruptedException when the thread is interrupted; the session may have taken the run
   */
  public void submitRun(String id) throws IOException, InterruptedException {
    String unused = channel.send("POST", RUNS, StatusCodec.submission(id), Duration.ZERO);
  }

  /**
   * Waits for the end of a run, for as long as a session lets wait at once.
   *
   * @return the run as it is: it has ended, or goes on and is to be waited for further
   * @throws JobException when the session does not know the run (404) or has ended (410)
   */
  public RunStatus awaitRun(String id) throws IOException, InterruptedException {
    String answer = channel.send("GET", run(id) + "?wait=" + RUN_WAIT.toSeconds(), "", RUN_WAIT);
    return StatusCodec.readRun(answer);
  }

  /**
   * Ends a run. One that has ended stays as it is.
   *
   * @param timeout how long the session may not answer
   * @throws JobException when the session does not know the run (404) or has ended (410)
   */
  public void cancelRun(String id, Duration timeout) throws IOException, InterruptedException {
    String unused = channel.send("DELETE", run(id), "", Duration.ZERO, timeout);
  }

  /** Ids of applications need no escaping. */
  private static String run(String id) {
    return RUNS + "/" + id;
  }

  private static Duration piece(long endNanos) {
    Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    return left.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : left;
  }

  /** Rounded up, so that the last fraction of a second takes one request only. */
  private static long seconds(Duration wait) {
    return wait.plusMillis(999).toSeconds();
  }

  private static String target(String id) {
    return JOBS + "/" + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
