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
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.staging.Mode;
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
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits jobs to the event loop, and answers queries from the job registry. Thread-safe. */
public final class JobService implements JobServer.JobHandler {

  private static final Logger LOG = LoggerFactory.getLogger(JobService.class);
  private static final long LONGEST_WAIT_SECONDS = 60;

  /** The maximum number of jobs in one answer. */
  private static final int ENDS_AT_ONCE = 1_000;

  private final Parts parts;
  private final Identity identity;
  private final Dependencies dependencies;
  private final Clock clock;

  /** The session that owns the jobs, and the secrets to which they may refer. */
  public record Identity(String id, String name, SessionStatus.Offer offer, TaskSecrets secrets) {}

  /**
   * Returns a refusal when the environment refers to a secret that the session does not have;
   * otherwise empty.
   */
  public static Optional<HttpReply> refusal(TaskSecrets secrets, Map<String, String> environment) {
    return secrets.missing(environment).stream()
        .findFirst()
        .map(
            name ->
                HttpReply.error(
                    HttpReply.UNPROCESSABLE,
                    ("The session was started without the secret %s: start one with 'weir "
                            + "session start --secret %s'; requests to a session are not encrypted, "
                            + "and bring none")
                        .formatted(name, name)));
  }

  /** The parts of the session that do the work. */
  public record Parts(Dispatcher dispatcher, JobRegistry jobs, SessionController controller) {}

  /**
   * External services, and threads for blocking calls.
   *
   * @param places returns the bytes of each host in HDFS, for each path that is a file; blocks
   * @param mayBeEncrypted whether HDFS may encrypt one of these files; blocks
   * @param hints publishes the hints of a job's outputs before it runs. Does not block. The future
   *     completes when the job may run: within a bounded time, never exceptionally
   * @param stop handles requests to stop the session
   * @param runs the number of live runs, with those being accepted
   */
  public record Dependencies(
      FunctionRaisingIOE<Set<String>, Map<String, Map<String, Long>>> places,
      FunctionRaisingIOE<Set<String>, Boolean> mayBeEncrypted,
      Function<Job, CompletableFuture<Void>> hints,
      SessionStop stop,
      IntSupplier runs,
      Executor files) {}

  public JobService(Identity identity, Parts parts, Dependencies dependencies, Clock clock) {
    this.identity = identity;
    this.parts = parts;
    this.dependencies = dependencies;
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
      // The first submission may have failed because the journal was unwritable.
      return parts.controller().written().thenApply(nothing -> known.get());
    }
    Optional<HttpReply> withoutSecret = refusal(identity.secrets(), job.environment());
    if (withoutSecret.isPresent()) {
      return done(withoutSecret.get());
    }
    if (dependencies.stop().isRequested()) {
      return done(refusedForEnding());
    }
    return parts
        .controller()
        .ask(() -> unknownInputs(job))
        .thenApplyAsync(unknown -> addition(job, unknown), dependencies.files())
        .thenCompose(
            addition -> dependencies.hints().apply(job).thenCompose(nothing -> add(job, addition)));
  }

  /** Returns the answer when a job with that id exists. */
  private Optional<HttpReply> known(Job job) {
    Optional<Job> known = parts.jobs().job(job.id());
    if (known.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        known.get().equals(job)
            ? found(job.id())
            : HttpReply.error(
                HttpReply.CONFLICT,
                "Another job has the id '" + job.id() + "': choose another id"));
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
    Set<String> onNodes;
    try {
      onNodes = onNodes(job);
      if (!paths.isEmpty()) {
        Map<String, Map<String, Long>> byPath = dependencies.places().apply(paths);
        for (JobFile input : job.inputs()) {
          if (byPath.containsKey(input.path())) {
            found.put(input.id(), byPath.get(input.path()));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read from HDFS where the files are", e);
    }
    return new JobAddition(
        job.task(),
        job.files(),
        found,
        job.options().attempts(),
        job.options().priority(),
        JobCodec.write(job),
        onNodes);
  }

  /** Returns the ids of the outputs that may stay on nodes. Nodes do not encrypt files. */
  private Set<String> onNodes(Job job) throws IOException {
    Map<String, String> ids =
        job.outputs().stream()
            .filter(JobFile::intermediate)
            .collect(Collectors.toMap(JobFile::path, JobFile::id));
    return ids.isEmpty()
            || !identity.offer().mode().equals(Mode.WEIR.label())
            || dependencies.mayBeEncrypted().apply(ids.keySet())
        ? Set.of()
        : Set.copyOf(ids.values());
  }

  private CompletableFuture<HttpReply> add(Job job, JobAddition addition) {
    AtomicReference<Optional<HttpReply>> refusal = new AtomicReference<>(Optional.empty());
    return parts
        .controller()
        .submit(
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
   * Returns why a job is not added. On the event loop, so that no event comes between the check and
   * the addition.
   */
  private Optional<HttpReply> refusal(Job job, JobAddition addition) {
    return known(job)
        .or(
            () ->
                dependencies.stop().isRequested()
                    ? Optional.of(refusedForEnding())
                    : Optional.empty())
        .or(
            () ->
                parts
                    .dispatcher()
                    .refusal(addition)
                    .map(
                        why ->
                            HttpReply.error(
                                HttpReply.UNPROCESSABLE,
                                "Job '" + job.id() + "' is refused: " + inPaths(job, why))));
  }

  /**
   * Replaces file ids by paths in a message. The id of a job's file is its path without the leading
   * slash.
   */
  private static String inPaths(Job job, String text) {
    String message = text;
    for (List<JobFile> files : List.of(job.inputs(), job.outputs())) {
      for (JobFile file : files) {
        message = message.replace("'" + file.id() + "'", "'" + file.path() + "'");
      }
    }
    return message;
  }

  private static HttpReply refusedForEnding() {
    return HttpReply.error(
        HttpReply.CONFLICT, "The session accepts no more jobs: it is about to end");
  }

  private HttpReply found(String id) {
    return parts
        .jobs()
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
    Optional<CompletableFuture<JobStatus>> end = parts.jobs().end(id);
    if (end.isEmpty() || waitSeconds <= 0) {
      return done(found(id));
    }
    return within(waitSeconds, end.get()).thenApply(ended -> found(id));
  }

  /** Completes with the event or at the end of the wait, whichever is first. */
  private static CompletableFuture<Void> within(long seconds, CompletableFuture<?> event) {
    return event
        .thenAccept(value -> {})
        .completeOnTimeout(null, Math.min(seconds, LONGEST_WAIT_SECONDS), TimeUnit.SECONDS);
  }

  @Override
  public CompletableFuture<HttpReply> ended(long after, long waitSeconds) {
    // Before the query, so that no job's end is missed between the two.
    CompletableFuture<Void> next = parts.jobs().nextEnd();
    EndedJobs now = parts.jobs().endedAfter(after, ENDS_AT_ONCE);
    if (!now.jobs().isEmpty() || waitSeconds <= 0) {
      return done(new HttpReply(HttpReply.OK, StatusCodec.write(now)));
    }
    return within(waitSeconds, next)
        .thenApply(
            nothing ->
                new HttpReply(
                    HttpReply.OK, StatusCodec.write(parts.jobs().endedAfter(after, ENDS_AT_ONCE))));
  }

  @Override
  public CompletableFuture<HttpReply> list() {
    return done(new HttpReply(HttpReply.OK, StatusCodec.write(parts.jobs().all())));
  }

  @Override
  public CompletableFuture<HttpReply> cancel(String id) {
    if (parts.jobs().find(id).isEmpty()) {
      return done(found(id));
    }
    return parts
        .controller()
        .submit(() -> parts.dispatcher().cancel(id, clock.millis()))
        .thenApply(nothing -> found(id));
  }

  @Override
  public CompletableFuture<HttpReply> sessionStatus() {
    JobRegistry jobs = parts.jobs();
    return parts
        .controller()
        .ask(
            () ->
                new SessionStatus(
                    identity.id(),
                    identity.name(),
                    jobs.count(JobState.QUEUED),
                    jobs.count(JobState.RUNNING),
                    jobs.count(JobState.SUCCEEDED),
                    jobs.count(JobState.FAILED) + jobs.count(JobState.CANCELLED),
                    parts.dispatcher().progress("").workers(),
                    parts.dispatcher().workerDemand().wantedWorkers(),
                    dependencies.runs().getAsInt(),
                    identity.offer()))
        .thenApply(status -> new HttpReply(HttpReply.OK, StatusCodec.write(status)));
  }

  @Override
  public CompletableFuture<HttpReply> stop(boolean whenIdle) {
    LOG.info(
        "A client has requested the session to stop{}", whenIdle ? " when its jobs are done" : "");
    SessionStop.When when = whenIdle ? SessionStop.When.IDLE : SessionStop.When.NOW;
    return dependencies
        .stop()
        .request(when)
        .thenCompose(isOurs -> isOurs ? end(when) : done(refusedForAnother()));
  }

  private CompletableFuture<HttpReply> end(SessionStop.When when) {
    return when == SessionStop.When.IDLE
        ? sessionStatus()
        : sessionStatus().whenComplete((reply, failure) -> parts.controller().stop());
  }

  private static HttpReply refusedForAnother() {
    return HttpReply.error(
        HttpReply.UNAVAILABLE,
        "Another ApplicationMaster has replaced this one: send the request again, the new one"
            + " answers in some seconds");
  }

  /** Resumes a stop that an earlier ApplicationMaster has promised. Blocks. */
  public void resumeStop() throws IOException {
    if (dependencies.stop().resume()) {
      LOG.info("Stopping: an earlier ApplicationMaster accepted a stop request");
      parts.controller().stop();
    }
  }

  /** Ends the session if a stop was requested and it is idle; called periodically. */
  public void endIfIdle() {
    if (dependencies.stop().isRequested()) {
      // On the event loop, which adds jobs, so that every accepted job is counted.
      Future<?> unused = parts.controller().ask(this::endNowIfIdle);
    }
  }

  private boolean endNowIfIdle() {
    JobRegistry jobs = parts.jobs();
    boolean idle =
        jobs.count(JobState.QUEUED) == 0
            && jobs.count(JobState.RUNNING) == 0
            && dependencies.runs().getAsInt() == 0;
    if (idle) {
      parts.controller().stop();
    }
    return idle;
  }

  private static CompletableFuture<HttpReply> done(HttpReply reply) {
    return CompletableFuture.completedFuture(reply);
  }
}
