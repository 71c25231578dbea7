package dev.weir.workflow.session;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.jobs.InvalidJobException;
import dev.weir.workflow.jobs.RunStatus;
import dev.weir.workflow.jobs.StatusCodec;
import dev.weir.workflow.jobserver.HttpReply;
import dev.weir.workflow.jobserver.JobServer;
import dev.weir.workflow.jobserver.JobService;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts runs into a running session, ends each when its graph has ended, and answers queries
 * about them. The id of a run names its directory in HDFS, where the client has written the plan.
 * Thread-safe.
 */
final class RunService implements JobServer.RunHandler {

  private static final Logger LOG = LoggerFactory.getLogger(RunService.class);
  private static final long LONGEST_WAIT_SECONDS = 60;

  /** The wait before a graph that still has attempts is forgotten. */
  private static final long RETRY_MILLIS = 1_000;

  private final Parts parts;
  private final ManagedRun.SessionContext sessionContext;
  private final RunDirectories directories;
  private final BooleanSupplier isEnding;
  private final Executor threads;

  /** Submissions that have no answer yet, by the run's id. */
  private final Map<String, CompletableFuture<HttpReply>> submissions = new ConcurrentHashMap<>();

  private volatile Runnable afterEnd = () -> {};

  /** Whether the session has ended, so that it takes no more runs; guarded by this. */
  private boolean ended;

  /** The services that the runs use. */
  record Parts(
      Dispatcher dispatcher, ManagedRuns runs, SessionServices services, TaskSecrets secrets) {

    SessionController controller() {
      return services.controller();
    }
  }

  /**
   * Creates the service of a session.
   *
   * @param isEnding whether the session rejects new runs
   * @param threads for blocking work; unbounded, one thread for each run that begins or ends
   */
  RunService(
      Parts parts,
      ManagedRun.SessionContext sessionContext,
      RunDirectories directories,
      BooleanSupplier isEnding,
      Executor threads) {
    this.parts = parts;
    this.sessionContext = sessionContext;
    this.directories = directories;
    this.isEnding = isEnding;
    this.threads = threads;
  }

  /** Returns the number of live runs, with those that are being accepted. */
  int count() {
    return submissions.size() + liveRuns().size();
  }

  /** Returns the runs whose record is not written yet. Others stay known for a moment. */
  private List<ManagedRun> liveRuns() {
    return parts.runs().all().stream().filter(run -> !run.closed().isDone()).toList();
  }

  @Override
  public CompletableFuture<HttpReply> submit(String json) {
    try {
      return submit(ApplicationId.fromString(StatusCodec.readSubmission(json)));
    } catch (InvalidJobException | IllegalArgumentException e) {
      return done(HttpReply.error(HttpReply.BAD_REQUEST, String.valueOf(e.getMessage())));
    }
  }

  private CompletableFuture<HttpReply> submit(ApplicationId id) {
    CompletableFuture<HttpReply> submission = new CompletableFuture<>();
    CompletableFuture<HttpReply> earlier;
    synchronized (this) {
      if (ended) {
        return done(ending());
      }
      earlier = submissions.putIfAbsent(id.toString(), submission);
    }
    if (earlier != null) {
      return earlier.copy();
    }
    CompletableFuture<HttpReply> unused =
        CompletableFuture.completedFuture(id)
            .thenComposeAsync(this::accept, threads)
            .whenComplete(
                (reply, failure) -> {
                  submissions.remove(id.toString());
                  if (failure == null) {
                    submission.complete(reply);
                  } else {
                    submission.completeExceptionally(failure);
                  }
                  // The session may have waited for this submission only.
                  afterEnd.run();
                });
    return submission.copy();
  }

  /** Takes a run, unless the session has it already. Does not block. */
  CompletableFuture<SteeringAnswer> take(String id) {
    try {
      return submit(ApplicationId.fromString(id)).thenApplyAsync(this::answer, threads);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(new SteeringAnswer(0, id + " is not a run's id"));
    }
  }

  /** A refusal of an ApplicationMaster that was replaced is void: the next one may take the run. */
  private SteeringAnswer answer(HttpReply reply) {
    if (reply.status() == HttpReply.OK || reply.status() == HttpReply.CREATED) {
      return new SteeringAnswer(1, "taken");
    }
    try {
      parts.services().requireLast();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot refuse a run", e);
    }
    return new SteeringAnswer(0, StatusCodec.readError(reply.json()));
  }

  /** Sets what is called after the end of each run and after the answer to each submission. */
  void afterEachRun(Runnable work) {
    afterEnd = work;
  }

  /**
   * Ends the session if no more runs than these go on.
   *
   * @param runs the number of live runs that end with the session
   * @return whether the session ends; it takes no more runs then
   */
  synchronized boolean endWith(int runs) {
    ended |= count() <= runs;
    return ended;
  }

  private static HttpReply ending() {
    return HttpReply.error(
        HttpReply.CONFLICT, "The session accepts no more runs: it is about to end");
  }

  private CompletableFuture<HttpReply> accept(ApplicationId id) {
    if (parts.runs().find(id.toString()).isPresent()) {
      // The first submission may have failed because the journal was unwritable.
      return parts
          .controller()
          .written()
          .thenApply(nothing -> reply(HttpReply.OK, id.toString(), RunState.RUNNING));
    }
    if (isEnding.getAsBoolean()) {
      return done(ending());
    }
    try {
      Staging staging = directories.directory(id.toString());
      Optional<RunState> endState = recordedEnd(staging);
      if (endState.isPresent()) {
        return done(reply(HttpReply.OK, id.toString(), endState.get()));
      }
      return accept(ManagedRun.open(sessionContext, id, staging));
    } catch (FileNotFoundException e) {
      return done(
          HttpReply.error(
              HttpReply.NOT_FOUND,
              "The run " + id + " has no plan: " + String.valueOf(e.getMessage())));
    } catch (Staging.UnreadableException e) {
      return done(HttpReply.error(HttpReply.UNPROCESSABLE, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the plan of the run " + id, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return done(HttpReply.error(HttpReply.UNAVAILABLE, "The session is about to end"));
    }
  }

  private CompletableFuture<HttpReply> accept(ManagedRun run)
      throws IOException, InterruptedException {
    Optional<HttpReply> withoutSecret =
        JobService.refusal(parts.secrets(), run.plan().environment());
    if (withoutSecret.isPresent()) {
      return done(withoutSecret.get());
    }
    Graph graph = run.dispatched();
    Optional<String> refusal =
        parts.controller().ask(() -> parts.dispatcher().refusal(graph)).join();
    if (refusal.isPresent()) {
      return done(HttpReply.error(HttpReply.UNPROCESSABLE, refusal.get()));
    }
    List<DispatchRecord> found;
    try {
      run.hints().start(run::note);
      found = run.foundBefore();
      if (run.firstTasksHaveHints()) {
        run.hints().await();
      }
    } catch (InterruptedException | RuntimeException e) {
      run.close();
      throw e;
    }
    Optional<RunState> endState = recordedEnd(directories.directory(run.graph()));
    if (endState.isPresent()) {
      // Meanwhile the client has given the run up.
      run.close();
      return done(reply(HttpReply.OK, run.graph(), endState.get()));
    }
    begin(run, parts.services().cacheTraffic());
    CompletableFuture<Void> accepted =
        parts
            .controller()
            .submit(
                () -> parts.dispatcher().addGraph(graph, found, sessionContext.steady().millis()));
    run.follow(parts.services().rounds());
    return accepted.thenApply(nothing -> reply(HttpReply.CREATED, run.graph(), RunState.RUNNING));
  }

  /** Resumes a run from the journal; called before any event is handled. */
  void resume(ManagedRun run) {
    run.hints().start(run::note);
    begin(run, CacheTraffic.NONE);
  }

  private void begin(ManagedRun run, CacheTraffic before) {
    // The failure of one run must not end the others.
    parts.controller().containFailures();
    run.begin(parts.controller(), this::take, threads, before);
    parts.runs().add(run);
    var unused =
        run.outcome()
            .thenAcceptAsync(failure -> end(run, failure), threads)
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null) {
                    LOG.error("The run {} has failed to end", run.graph(), failure);
                  }
                  afterEnd.run();
                });
  }

  /** Writes the end of a run, and forgets the run. */
  private void end(ManagedRun run, Optional<RunFailure> failure) {
    if (!run.claimEnd()) {
      return;
    }
    try {
      run.finish(
          new RunEnding(run, parts.services(), false, () -> hasAttempts(run)),
          failure.orElse(null));
      release(run);
    } catch (IOException e) {
      // Another ApplicationMaster continues the run.
      LOG.warn("The run {} is not ended by this ApplicationMaster", run.graph(), e);
      run.endUnwritten(e);
    } catch (RuntimeException e) {
      LOG.error("Cannot record the end of the run {}", run.graph(), e);
      run.endUnwritten(e);
      release(run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      run.endUnwritten(e);
    }
  }

  private boolean hasAttempts(ManagedRun run) {
    return parts.controller().ask(() -> parts.dispatcher().hasAttempts(run.graph())).join();
  }

  /**
   * Ends the first run of a session that continues with others. The session keeps the run, because
   * its directory is the session's. Does not block.
   */
  void endFirst(ManagedRun run, Optional<RunFailure> failure) {
    threads.execute(
        () -> {
          try {
            endFirstUnlessEnded(run, failure);
          } finally {
            afterEnd.run();
          }
        });
  }

  private void endFirstUnlessEnded(ManagedRun run, Optional<RunFailure> failure) {
    try {
      Optional<RunState> before = recordedEnd(directories.directory(run.graph()));
      if (before.isPresent() && run.claimEnd()) {
        run.endedBefore(before.get());
        return;
      }
    } catch (IOException e) {
      LOG.error("Cannot read how the run {} has ended", run.graph(), e);
    }
    end(run, failure);
  }

  private void release(ManagedRun run) {
    if (!run.graph().equals(parts.services().id())) {
      run.close();
      forget(run);
    }
  }

  /**
   * Forgets the run when no worker has attempts of it: until then the dispatcher needs their
   * reports.
   */
  private void forget(ManagedRun run) {
    var unused =
        parts
            .controller()
            .ask(() -> parts.dispatcher().hasAttempts(run.graph()))
            .thenCompose(
                held ->
                    held
                        ? CompletableFuture.failedFuture(
                            new IllegalStateException("a worker has an attempt of the run"))
                        : parts.controller().forget(run.graph()))
            .whenComplete(
                (nothing, problem) -> {
                  if (problem == null) {
                    parts.runs().remove(run);
                  } else {
                    forgetLater(run);
                  }
                });
  }

  private void forgetLater(ManagedRun run) {
    try {
      parts.services().rounds().after(RETRY_MILLIS, () -> forget(run));
    } catch (RejectedExecutionException e) {
      LOG.debug("The session has ended", e);
    }
  }

  @Override
  public CompletableFuture<HttpReply> list() {
    return CompletableFuture.supplyAsync(
        () -> {
          List<RunStatus> runs = new ArrayList<>();
          for (ManagedRun run : liveRuns()) {
            Progress progress = parts.controller().progress(run.graph());
            runs.add(
                new RunStatus(run.graph(), RunState.RUNNING, progress.tasks(), progress.done()));
          }
          return new HttpReply(HttpReply.OK, StatusCodec.writeRuns(runs));
        },
        threads);
  }

  @Override
  public CompletableFuture<HttpReply> status(String id, long waitSeconds) {
    Optional<ManagedRun> run = parts.runs().find(id);
    if (run.isEmpty()) {
      return CompletableFuture.supplyAsync(() -> ended(id), threads);
    }
    CompletableFuture<RunState> closed = run.get().closed();
    long seconds = Math.max(0, Math.min(waitSeconds, LONGEST_WAIT_SECONDS));
    return closed
        .completeOnTimeout(RunState.RUNNING, seconds, TimeUnit.SECONDS)
        .thenApply(state -> reply(HttpReply.OK, id, state));
  }

  private HttpReply ended(String id) {
    try {
      String name = ApplicationId.fromString(id).toString();
      Optional<RunState> state = recordedEnd(directories.directory(name));
      return state.isPresent()
          ? reply(HttpReply.OK, name, state.get())
          : HttpReply.error(HttpReply.NOT_FOUND, "No run '" + id + "' is running in this session");
    } catch (IllegalArgumentException | FileNotFoundException e) {
      return HttpReply.error(HttpReply.NOT_FOUND, "No run '" + id + "' is known here");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read from HDFS how the run " + id + " has ended", e);
    }
  }

  /** Returns the final state of a run; empty when it has not ended. */
  private static Optional<RunState> recordedEnd(Staging staging) throws IOException {
    try {
      RunSummary.End end = staging.readJson(Staging.SUMMARY, RunSummary.class).end();
      return Optional.ofNullable(end).map(RunSummary.End::state);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public CompletableFuture<HttpReply> cancel(String id) {
    CompletableFuture<HttpReply> coming = submissions.get(id);
    if (coming != null) {
      return coming.handle((reply, failure) -> id).thenCompose(this::cancel);
    }
    if (parts.runs().find(id).isEmpty()) {
      return status(id, 0);
    }
    return parts
        .controller()
        .submit(
            () ->
                parts
                    .dispatcher()
                    .steer(
                        id,
                        "cancelled-by-request",
                        Steering.of(Steering.Action.CANCEL, ""),
                        sessionContext.steady().millis()))
        .thenApply(nothing -> reply(HttpReply.OK, id, RunState.RUNNING));
  }

  private static HttpReply reply(int status, String id, RunState state) {
    return new HttpReply(status, StatusCodec.writeState(new RunStatus(id, state)));
  }

  private static CompletableFuture<HttpReply> done(HttpReply reply) {
    return CompletableFuture.completedFuture(reply);
  }
}
