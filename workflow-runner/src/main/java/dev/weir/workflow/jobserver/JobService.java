package dev.weir.workflow.jobserver;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobCodec;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobs.SessionStatus;
import dev.weir.workflow.jobs.StatusCodec;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.JobAddition;
import dev.weir.workflow.scheduler.Step;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes jobs for the dispatcher's thread and answers from the book. Thread-safe. */
public final class JobService implements JobServer.Desk {

  private static final Logger LOG = LoggerFactory.getLogger(JobService.class);
  private static final long LONGEST_WAIT_SECONDS = 60;

  /** Jobs named in one answer of those that have ended. */
  private static final int ENDS_AT_ONCE = 1_000;

  private final Parts parts;
  private final Identity identity;
  private final Outside outside;
  private final Clock clock;

  /** Whose jobs they are, and to which secrets they may refer. */
  public record Identity(String id, String name, SessionStatus.Offer offer, TaskSecrets secrets) {}

  /** Why a job or run cannot have the secrets to which its variables refer; empty when it can. */
  public static Optional<HttpReply> refusal(TaskSecrets secrets, Map<String, String> environment) {
    return secrets.missing(environment).stream()
        .findFirst()
        .map(
            name ->
                HttpReply.error(
                    HttpReply.UNPROCESSABLE,
                    "The session was started without the secret "
                        + name
                        + ": start one with 'weir session start --secret "
                        + name
                        + "'; requests to a session are not encrypted, and bring none"));
  }

  /** What does the work. */
  public record Parts(Dispatcher dispatcher, JobRegistry book, SessionController controller) {}

  /**
   * What asks others, and where that may block.
   *
   * @param ending hears that the pool is to end
   * @param runs how many runs go on in the session, or are about to
   * @param files for calls of this
   */
  public record Outside(
      HdfsPlaces places, Hinting hints, SessionStop ending, IntSupplier runs, Executor files) {}

  /** Where files are in HDFS. */
  public interface HdfsPlaces {

    /** For each of these paths that is a file, the bytes of each host. Blocks. */
    Map<String, Map<String, Long>> find(Set<String> paths) throws IOException;
  }

  /** Makes the hints of a job's outputs known before it runs. Does not block. */
  public interface Hinting {

    /** Completes, within a bounded time and never exceptionally, when the job may run. */
    CompletableFuture<Void> include(Job job);
  }

  public JobService(Identity identity, Parts parts, Outside outside, Clock clock) {
    this.identity = identity;
    this.parts = parts;
    this.outside = outside;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<HttpReply> submit(String json) {
    Job job;
    try {
      job = JobCodec.read(json, "job-" + UUID.randomUUID());
    } catch (InvalidJobException e) {
      return done(HttpReply.error(HttpReply.BAD_REQUEST, String.valueOf(e.getMessage())));
    }
    Optional<HttpReply> known = known(job);
    if (known.isPresent()) {
      // Whoever submitted it first may have been told that the journal cannot be written.
      return parts.controller().written().thenApply(nothing -> known.get());
    }
    Optional<HttpReply> withoutSecret = refusal(identity.secrets(), job.environment());
    if (withoutSecret.isPresent()) {
      return done(withoutSecret.get());
    }
    if (outside.ending().isWanted()) {
      return done(refusedForEnding());
    }
    return parts
        .controller()
        .ask(() -> unknownInputs(job))
        .thenApplyAsync(unknown -> addition(job, unknown), outside.files())
        .thenCompose(
            addition -> outside.hints().include(job).thenCompose(nothing -> add(job, addition)));
  }

  /** The answer when there is a job of that id already. */
  private Optional<HttpReply> known(Job job) {
    Optional<Job> known = parts.book().job(job.id());
    if (known.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        known.get().equals(job)
            ? found(job.id())
            : HttpReply.error(
                HttpReply.CONFLICT,
                "There is another job '" + job.id() + "': give this one an id of its own"));
  }

  private Set<String> unknownInputs(Job job) {
    Set<String> unknown = new HashSet<>();
    for (JobFile input : job.inputs()) {
      if (!parts.dispatcher().isMadeHere(input.id())) {
        unknown.add(input.path());
      }
    }
    return unknown;
  }

  private JobAddition addition(Job job, Set<String> paths) {
    Map<String, Map<String, Long>> found = new HashMap<>();
    try {
      if (!paths.isEmpty()) {
        Map<String, Map<String, Long>> byPath = outside.places().find(paths);
        for (JobFile input : job.inputs()) {
          if (byPath.containsKey(input.path())) {
            found.put(input.id(), byPath.get(input.path()));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not say where the inputs are", e);
    }
    return new JobAddition(
        job.task(),
        job.files(),
        found,
        job.options().attempts(),
        job.options().priority(),
        JobCodec.write(job));
  }

  private CompletableFuture<HttpReply> add(Job job, JobAddition addition) {
    AtomicReference<Optional<HttpReply>> refusal = new AtomicReference<>(Optional.empty());
    return parts
        .controller()
        .tell(
            () -> {
              Optional<HttpReply> why = refusal(job, addition);
              refusal.set(why);
              return why.isPresent()
                  ? Step.NOTHING
                  : parts.dispatcher().add(addition, clock.millis());
            })
        .thenApply(
            nothing ->
                requireNonNull(refusal.get())
                    .orElseGet(() -> new HttpReply(HttpReply.CREATED, found(job.id()).json())));
  }

  /**
   * Why a job is not added; on the dispatcher's thread, where nothing comes between this and what
   * follows.
   */
  private Optional<HttpReply> refusal(Job job, JobAddition addition) {
    return known(job)
        .or(() -> outside.ending().isWanted() ? Optional.of(refusedForEnding()) : Optional.empty())
        .or(
            () ->
                parts
                    .dispatcher()
                    .refusal(addition)
                    .map(
                        why ->
                            HttpReply.error(
                                HttpReply.UNPROCESSABLE,
                                "Job '" + job.id() + "' cannot be taken: " + inPaths(job, why))));
  }

  /** The dispatcher knows a file by its path without the slash in front. */
  private static String inPaths(Job job, String text) {
    String told = text;
    for (List<JobFile> files : List.of(job.inputs(), job.outputs())) {
      for (JobFile file : files) {
        told = told.replace("'" + file.id() + "'", "'" + file.path() + "'");
      }
    }
    return told;
  }

  private static HttpReply refusedForEnding() {
    return HttpReply.error(HttpReply.CONFLICT, "The pool takes no more jobs: it is about to end");
  }

  private HttpReply found(String id) {
    return parts
        .book()
        .find(id)
        .map(status -> new HttpReply(HttpReply.OK, StatusCodec.write(status)))
        .orElseGet(
            () ->
                HttpReply.error(
                    HttpReply.NOT_FOUND,
                    "No job '" + id + "' is known here; those that ended long ago are forgotten"));
  }

  @Override
  public CompletableFuture<HttpReply> status(String id, long waitSeconds) {
    Optional<CompletableFuture<JobStatus>> end = parts.book().end(id);
    if (end.isEmpty() || waitSeconds <= 0) {
      return done(found(id));
    }
    return within(waitSeconds, end.get()).thenApply(ended -> found(id));
  }

  /** Completes when it does or the time is over, whichever is first. */
  private static CompletableFuture<Void> within(long seconds, CompletableFuture<?> event) {
    return event
        .thenAccept(value -> {})
        .completeOnTimeout(null, Math.min(seconds, LONGEST_WAIT_SECONDS), TimeUnit.SECONDS);
  }

  @Override
  public CompletableFuture<HttpReply> ended(long after, long waitSeconds) {
    // Before looking, so that no end slips through in between.
    CompletableFuture<Void> next = parts.book().nextEnd();
    EndedJobs now = parts.book().endedAfter(after, ENDS_AT_ONCE);
    if (!now.jobs().isEmpty() || waitSeconds <= 0) {
      return done(new HttpReply(HttpReply.OK, StatusCodec.write(now)));
    }
    return within(waitSeconds, next)
        .thenApply(
            nothing ->
                new HttpReply(
                    HttpReply.OK, StatusCodec.write(parts.book().endedAfter(after, ENDS_AT_ONCE))));
  }

  @Override
  public CompletableFuture<HttpReply> list() {
    return done(new HttpReply(HttpReply.OK, StatusCodec.write(parts.book().all())));
  }

  @Override
  public CompletableFuture<HttpReply> cancel(String id) {
    if (parts.book().find(id).isEmpty()) {
      return done(found(id));
    }
    return parts
        .controller()
        .tell(() -> parts.dispatcher().cancel(id, clock.millis()))
        .thenApply(nothing -> found(id));
  }

  @Override
  public CompletableFuture<HttpReply> pool() {
    JobRegistry book = parts.book();
    return parts
        .controller()
        .ask(
            () ->
                new SessionStatus(
                    identity.id(),
                    identity.name(),
                    book.count(JobState.QUEUED),
                    book.count(JobState.RUNNING),
                    book.count(JobState.SUCCEEDED),
                    book.count(JobState.FAILED) + book.count(JobState.CANCELLED),
                    parts.dispatcher().progress("").workers(),
                    parts.dispatcher().workerDemand().wantedWorkers(),
                    outside.runs().getAsInt(),
                    identity.offer()))
        .thenApply(status -> new HttpReply(HttpReply.OK, StatusCodec.write(status)));
  }

  @Override
  public CompletableFuture<HttpReply> stop(boolean whenIdle) {
    LOG.info("Its owner wants the pool to end{}", whenIdle ? " when its jobs are done" : "");
    StopMarker.When when = whenIdle ? StopMarker.When.IDLE : StopMarker.When.NOW;
    return outside
        .ending()
        .want(when)
        .thenCompose(mine -> mine ? end(when) : done(refusedForAnother()));
  }

  private CompletableFuture<HttpReply> end(StopMarker.When when) {
    return when == StopMarker.When.IDLE
        ? pool()
        : pool().whenComplete((reply, failure) -> parts.controller().stop());
  }

  private static HttpReply refusedForAnother() {
    return HttpReply.error(
        HttpReply.UNAVAILABLE,
        "Another ApplicationMaster has taken the place of this one and has the pool: ask again, it"
            + " answers in some seconds");
  }

  /**
   * Does what an ApplicationMaster before this one has said that it would; blocks.
   *
   * @throws IOException when HDFS does not tell
   */
  public void heed() throws IOException {
    if (outside.ending().heed()) {
      LOG.info("The pool was to end before this ApplicationMaster came");
      parts.controller().stop();
    }
  }

  /** Ends the pool if somebody wants that and nothing is left to do; to be called now and then. */
  public void endIfIdle() {
    if (outside.ending().isWanted()) {
      // On the thread on which jobs are added: one that has been taken is counted.
      Future<?> unused = parts.controller().ask(this::endNowIfIdle);
    }
  }

  private boolean endNowIfIdle() {
    JobRegistry book = parts.book();
    boolean idle =
        book.count(JobState.QUEUED) == 0
            && book.count(JobState.RUNNING) == 0
            && outside.runs().getAsInt() == 0;
    if (idle) {
      parts.controller().stop();
    }
    return idle;
  }

  private static CompletableFuture<HttpReply> done(HttpReply reply) {
    return CompletableFuture.completedFuture(reply);
  }
}
