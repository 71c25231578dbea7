package dev.weir.workflow.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.jobserver.HttpReply;
import dev.weir.workflow.jobserver.JobServer;
import dev.weir.workflow.jobserver.JobService;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Graph;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * Takes runs into a session that is up, ends each when its graph has ended, and answers what is
 * asked of them. A run is known by its directory in HDFS, where its client has left the plan.
 * Thread-safe.
 */
final class RunService implements JobServer.RunDesk {

  private static final Logger LOG = LoggerFactory.getLogger(RunService.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String RUNNING = "RUNNING";
  private static final long LONGEST_WAIT_SECONDS = 60;

  /** How soon a graph is asked for again of which workers still have attempts. */
  private static final long AGAIN_MILLIS = 1_000;

  private final Parts parts;
  private final ManagedRun.Surroundings around;
  private final RunDirectories directories;
  private final BooleanSupplier isEnding;
  private final Executor threads;

  /** Submissions that have no answer yet, by the run's id. */
  private final Map<String, CompletableFuture<HttpReply>> taking = new ConcurrentHashMap<>();

  /** What does the work. */
  record Parts(
      Dispatcher dispatcher, ManagedRuns runs, SessionServices services, TaskSecrets secrets) {

    SessionController controller() {
      return services.controller();
    }
  }

  /**
   * A session's.
   *
   * @param directories where runs have their plans
   * @param isEnding whether the session takes no more
   * @param threads for what blocks, as many as there are runs that begin or end
   */
  RunService(
      Parts parts,
      ManagedRun.Surroundings around,
      RunDirectories directories,
      BooleanSupplier isEnding,
      Executor threads) {
    this.parts = parts;
    this.around = around;
    this.directories = directories;
    this.isEnding = isEnding;
    this.threads = threads;
  }

  /** How many runs go on or are about to. */
  int count() {
    return taking.size() + goingOn().size();
  }

  /** Those whose record is written may still be known for a moment. */
  private List<ManagedRun> goingOn() {
    return parts.runs().all().stream().filter(run -> !run.closed().isDone()).toList();
  }

  @Override
  public CompletableFuture<HttpReply> submit(String json) {
    ApplicationId id;
    try {
      id = id(json);
    } catch (IllegalArgumentException e) {
      return done(HttpReply.error(HttpReply.BAD_REQUEST, String.valueOf(e.getMessage())));
    }
    CompletableFuture<HttpReply> mine = new CompletableFuture<>();
    CompletableFuture<HttpReply> others = taking.putIfAbsent(id.toString(), mine);
    if (others != null) {
      return others.copy();
    }
    CompletableFuture<HttpReply> unused =
        CompletableFuture.completedFuture(id)
            .thenComposeAsync(this::take, threads)
            .whenComplete(
                (reply, failure) -> {
                  taking.remove(id.toString());
                  if (failure == null) {
                    mine.complete(reply);
                  } else {
                    mine.completeExceptionally(failure);
                  }
                });
    return mine.copy();
  }

  private static ApplicationId id(String json) {
    try {
      JsonNode id = JSON.readTree(json).path("id");
      if (!id.isTextual()) {
        throw new IllegalArgumentException("Cannot parse missing field: id");
      }
      return ApplicationId.fromString(id.textValue());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("This is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  private CompletableFuture<HttpReply> take(ApplicationId id) {
    if (parts.runs().find(id.toString()).isPresent()) {
      // Whoever submitted it first may have been told that the journal cannot be written.
      return parts
          .controller()
          .written()
          .thenApply(nothing -> reply(HttpReply.OK, id.toString(), RUNNING));
    }
    if (isEnding.getAsBoolean()) {
      return done(
          HttpReply.error(
              HttpReply.CONFLICT, "The session takes no more runs: it is about to end"));
    }
    try {
      Staging staging = directories.directory(id.toString());
      Optional<String> over = over(staging);
      if (over.isPresent()) {
        return done(reply(HttpReply.OK, id.toString(), over.get()));
      }
      return take(ManagedRun.open(around, id, staging));
    } catch (FileNotFoundException e) {
      return done(
          HttpReply.error(
              HttpReply.NOT_FOUND,
              "The run " + id + " has no plan: " + String.valueOf(e.getMessage())));
    } catch (Staging.UnreadableException e) {
      return done(HttpReply.error(HttpReply.UNPROCESSABLE, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not say what the run " + id + " is to do", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return done(HttpReply.error(HttpReply.UNAVAILABLE, "The session is about to end"));
    }
  }

  private CompletableFuture<HttpReply> take(ManagedRun run)
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
    Optional<String> over = over(directories.directory(run.graph()));
    if (over.isPresent()) {
      // Its client has given it up meanwhile.
      run.close();
      return done(reply(HttpReply.OK, run.graph(), over.get()));
    }
    begin(run, parts.services().cacheTraffic());
    CompletableFuture<Void> added =
        parts
            .controller()
            .tell(() -> parts.dispatcher().addGraph(graph, found, around.steady().millis()));
    run.follow(parts.services().rounds());
    return added.thenApply(nothing -> reply(HttpReply.CREATED, run.graph(), RUNNING));
  }

  /** A run that the dispatcher knows from the journal goes on; before any event is handled. */
  void resume(ManagedRun run) {
    run.hints().start(run::note);
    begin(run, CacheTraffic.NONE);
  }

  private void begin(ManagedRun run, CacheTraffic before) {
    run.begin(parts.controller(), before);
    parts.runs().add(run);
    var unused =
        run.outcome()
            .thenAcceptAsync(failure -> end(run, failure), threads)
            .exceptionally(
                failure -> {
                  LOG.error("The run {} has not come to its end", run.graph(), failure);
                  return null;
                });
  }

  /** Writes down how a run has ended, and forgets it. */
  private void end(ManagedRun run, Optional<RunFailure> failure) {
    if (!run.claimEnd()) {
      return;
    }
    try {
      run.finish(
          new RunEnding(run, parts.services(), false).waitingFor(() -> isInHand(run)),
          failure.orElse(null));
      run.close();
      forget(run);
    } catch (IOException e) {
      // Another ApplicationMaster goes on with it.
      LOG.warn("The run {} is not ended here", run.graph(), e);
      run.endUnwritten(e);
    } catch (RuntimeException e) {
      LOG.error("How the run {} has ended cannot be written down", run.graph(), e);
      run.endUnwritten(e);
      run.close();
      forget(run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      run.endUnwritten(e);
    }
  }

  private boolean isInHand(ManagedRun run) {
    return parts.controller().ask(() -> parts.dispatcher().hasAttempts(run.graph())).join();
  }

  /** Until then what workers report of it is for the dispatcher. */
  private void forget(ManagedRun run) {
    var unused =
        parts
            .controller()
            .ask(() -> parts.dispatcher().hasAttempts(run.graph()))
            .thenCompose(
                held ->
                    held
                        ? CompletableFuture.failedFuture(
                            new IllegalStateException("a worker has an attempt of it"))
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
      parts.services().rounds().after(AGAIN_MILLIS, () -> forget(run));
    } catch (RejectedExecutionException e) {
      LOG.debug("The session has ended", e);
    }
  }

  @Override
  public CompletableFuture<HttpReply> list() {
    return CompletableFuture.supplyAsync(
        () -> {
          ObjectNode all = JSON.createObjectNode();
          ArrayNode runs = all.putArray("runs");
          for (ManagedRun run : goingOn()) {
            Progress progress = parts.controller().progress(run.graph());
            runs.addObject()
                .put("id", run.graph())
                .put("state", RUNNING)
                .put("tasks", progress.tasks())
                .put("done", progress.done());
          }
          return new HttpReply(HttpReply.OK, all.toString());
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
        .thenApply(RunState::name)
        .completeOnTimeout(RUNNING, seconds, TimeUnit.SECONDS)
        .thenApply(state -> reply(HttpReply.OK, id, state));
  }

  private HttpReply ended(String id) {
    try {
      String name = ApplicationId.fromString(id).toString();
      Optional<String> state = over(directories.directory(name));
      return state.isPresent()
          ? reply(HttpReply.OK, name, state.get())
          : HttpReply.error(HttpReply.NOT_FOUND, "No run '" + id + "' goes on in this session");
    } catch (IllegalArgumentException | FileNotFoundException e) {
      return HttpReply.error(HttpReply.NOT_FOUND, "No run '" + id + "' is known here");
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not say how the run " + id + " has ended", e);
    }
  }

  /** How a run has ended; empty when it has not. */
  private static Optional<String> over(Staging staging) throws IOException {
    try {
      RunSummary.End end = staging.readJson(Staging.SUMMARY, RunSummary.class).end();
      return end == null ? Optional.empty() : Optional.of(end.state().name());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public CompletableFuture<HttpReply> cancel(String id) {
    CompletableFuture<HttpReply> coming = taking.get(id);
    if (coming != null) {
      return coming.handle((reply, failure) -> id).thenCompose(this::cancel);
    }
    if (parts.runs().find(id).isEmpty()) {
      return status(id, 0);
    }
    return parts
        .controller()
        .tell(
            () ->
                parts
                    .dispatcher()
                    .steer(
                        id,
                        "cancelled-by-request",
                        Steering.of(Steering.Action.CANCEL, ""),
                        around.steady().millis()))
        .thenApply(nothing -> reply(HttpReply.OK, id, RUNNING));
  }

  private static HttpReply reply(int status, String id, String state) {
    return new HttpReply(
        status, JSON.createObjectNode().put("id", id).put("state", state).toString());
  }

  private static CompletableFuture<HttpReply> done(HttpReply reply) {
    return CompletableFuture.completedFuture(reply);
  }
}
