package dev.weir.nextflow;

import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs of a workflow in a session. One request waits for the ends of all. Thread-safe. */
final class SessionJobs implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SessionJobs.class);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;

  private final JobClient client;
  private final Runnable onEnd;
  private final Pause pause;
  private final Set<String> submitted = ConcurrentHashMap.newKeySet();
  private final Map<String, JobStatus> ended = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::awaitEnds, "weir-session-jobs");
  private volatile @Nullable IOException failure;

  /** The time between two requests of which the first one failed. */
  interface Pause {
    void await(long millis) throws InterruptedException;
  }

  /**
   * Creates jobs that are not awaited yet.
   *
   * @param onEnd called after each end, on a thread of its own
   * @param pause sleeps
   */
  SessionJobs(JobClient client, Runnable onEnd, Pause pause) {
    this.client = client;
    this.onEnd = onEnd;
    this.pause = pause;
    thread.setDaemon(true);
    thread.setContextClassLoader(SessionJobs.class.getClassLoader());
  }

  /**
   * Cancels unfinished jobs that an earlier run has left, and begins to await those of this one.
   */
  void start(String prefix) throws IOException, InterruptedException {
    for (JobStatus status : client.list()) {
      if (status.id().startsWith(prefix) && !status.state().isFinal()) {
        LOG.info("Cancelling {} of an earlier run", status.id());
        cancel(status.id());
      }
    }
    thread.start();
  }

  void submit(Job job) throws IOException, InterruptedException {
    boolean isTaken = false;
    // Before the session has the job, which may end at once.
    submitted.add(job.id());
    try {
      JobStatus unused = client.submit(job);
      isTaken = true;
    } finally {
      if (!isTaken) {
        submitted.remove(job.id());
      }
    }
  }

  /** Returns whether a job was submitted and has not ended. */
  boolean isAwaited(String id) {
    return submitted.contains(id);
  }

  /**
   * Returns how a job has ended, once; empty while it has not.
   *
   * @throws IOException when the session has ended
   */
  Optional<JobStatus> takeEnd(String id) throws IOException {
    Optional<JobStatus> end = Optional.ofNullable(ended.remove(id));
    IOException problem = failure;
    if (end.isEmpty() && problem != null) {
      throw new IOException(
          "The session has ended (" + problem.getMessage() + "): see 'weir session list'", problem);
    }
    return end;
  }

  /** Cancels a job, if the session knows it. */
  void cancel(String id) throws IOException, InterruptedException {
    try {
      JobStatus unused = client.cancel(id);
    } catch (JobException e) {
      if (e.status() != NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Waits until the session has ended, or this thread is interrupted. */
  void awaitEnds() {
    long after = 0;
    long millis = FIRST_PAUSE_MILLIS;
    try {
      while (true) {
        try {
          after = awaitSome(after);
          millis = FIRST_PAUSE_MILLIS;
        } catch (IOException e) {
          if (isFinal(e)) {
            fail(e);
            return;
          }
          LOG.warn("The session does not answer; asking again in {} ms", millis, e);
          pause.await(millis);
          millis = Math.min(2 * millis, LONGEST_PAUSE_MILLIS);
        }
      }
    } catch (RuntimeException e) {
      fail(new IOException(e));
    } catch (InterruptedException e) {
      LOG.debug("No job is awaited any more", e);
    }
  }

  private long awaitSome(long after) throws IOException, InterruptedException {
    EndedJobs answer = client.awaitEnds(after, WAIT);
    for (JobStatus status : answer.jobs()) {
      if (submitted.remove(status.id())) {
        ended.put(status.id(), status);
      }
    }
    onEnd.run();
    return answer.next();
  }

  /** The ResourceManager and the ApplicationMaster may be restarted, and then answer again. */
  private static boolean isFinal(IOException e) {
    return e instanceof JobException refusal
        && (refusal.status() == GONE || refusal.status() == FORBIDDEN);
  }

  private void fail(IOException e) {
    failure = e;
    onEnd.run();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
