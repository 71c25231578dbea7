package dev.weir.workflow.am;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.InvalidHintException;
import dev.weir.workflow.dispatch.GrowingDispatcher;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.dispatch.Step;
import dev.weir.workflow.hints.HintDesk;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.SessionPlan;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.run.WorkflowRunner;
import dev.weir.workflow.worker.QuickFailover;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry point of a pool's ApplicationMaster: runs the jobs that its owner's engines send, until it
 * is told to stop. A second attempt carries on from the journal.
 */
public final class PoolMaster {

  private static final Logger LOG = LoggerFactory.getLogger(PoolMaster.class);

  /** Jobs that have ended and are still known. */
  private static final int JOBS_KEPT = 10_000;

  /** Clients wait for each flush. */
  private static final long FLUSH_PAUSE_MILLIS = 5;

  private static final long TICK_MILLIS = 1_000;
  private static final int FILE_THREADS = 8;
  private static final int TASKS_LOOKED_AT = 32;

  private final DistributedFileSystem fs;
  private final YarnConfiguration conf;
  private final Staging staging;
  private final SessionPlan plan;
  private final ApplicationAttemptId attempt;

  /** For what others compare with their own clocks. */
  private final Clock clock;

  /** For all that is told to the dispatcher. */
  private final Clock steady;

  private final JobBook book = new JobBook(JOBS_KEPT);
  private final HabitBook habits;
  private final PoolHabits taught;
  private final GrowingDispatcher growing;
  private final PoolReplay replay;
  private final OldJournals journals;
  private long lastEnded;
  private final ExecutorService files =
      Executors.newFixedThreadPool(FILE_THREADS, Daemons.named("job-files"));

  private PoolMaster(Map<String, String> environment, Clock clock) throws IOException {
    this.clock = clock;
    this.steady = new SteadyClock(clock, System::nanoTime);
    this.attempt =
        ContainerId.fromString(
                AppMaster.require(
                    environment, ApplicationConstants.Environment.CONTAINER_ID.name()))
            .getApplicationAttemptId();
    // HDFS' defaults with the others: coming later they would have all files read again.
    this.conf = new YarnConfiguration(new HdfsConfiguration());
    QuickFailover.applyTo(conf);
    Path directory = new Path(AppMaster.require(environment, WorkflowRunner.STAGING_VARIABLE));
    this.fs = AppMaster.hdfs(directory.toUri(), conf);
    this.staging =
        new Staging(fs, directory)
            .withLibrary(new Path(AppMaster.require(environment, Staging.LIBRARY_VARIABLE)));
    this.plan = staging.readJson(Staging.PLAN, SessionPlan.class);
    plan.settings().forEach(conf::set);
    this.habits = new HabitBook(RunDirectories.around(fs, staging));
    this.taught = new PoolHabits(habits.read(), plan.workers().cores());
    this.growing =
        new GrowingDispatcher(
            plan.mode() == Mode.STOCK ? Policy.FIFO : Policy.DATA_AWARE,
            new Limits(JobOptions.MOST_ATTEMPTS, Limits.DEFAULT.losses()),
            plan.workers().size(),
            taught::of);
    this.replay = new PoolReplay(growing, book);
    this.journals = new OldJournals(fs, staging.directory());
  }

  /**
   * Runs the pool.
   *
   * @param args none
   */
  public static void main(String[] args) {
    MasterExit.after(() -> new PoolMaster(System.getenv(), Clock.systemUTC()).run(), System::exit);
  }

  private String id() {
    return attempt.getApplicationId().toString();
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    Handover handover =
        Handover.of(
            Handover.in(staging, Staging.POOL_MASTER),
            new Handover.Term(attempt.getAttemptId(), Duration.ZERO),
            AppMaster.journalPatience(conf));
    // An earlier one that still goes on is to accept no more jobs that are not read here.
    TimeUnit.MILLISECONDS.sleep(handover.unsettledMillis());
    takeOver();
    JobOrders orders = new JobOrders(book, AttemptLabels.master(attempt), steady);
    HintDesk desk = hintDesk();
    try (Journal journal =
            new Journal(
                fs,
                staging.directory(),
                attempt.getAttemptId(),
                FLUSH_PAUSE_MILLIS,
                handover::requireLast);
        MasterServices services =
            new MasterServices(
                context(handover),
                growing.dispatcher(),
                new RunController.Outlets(
                    orders, journal, new TeachingBook(book, taught), answer -> {}))) {
      handover.whenReplaced(services.controller()::abort);
      journal.start();
      services.start();
      services.controller().start();
      services.hireFor(() -> growing.readyInputs(TASKS_LOOKED_AT));
      LeanJournal lean =
          new LeanJournal(
              new LeanJournal.Parts(journal, journals, replay, book, services.controller()),
              files,
              LeanJournal.LEAST_BYTES);
      services.every(TICK_MILLIS, lean::look);
      Optional<RunFailure> failure = serve(services, desk, handover);
      journal.finish();
      new PoolClosing(staging, () -> habits.learn(taught.attempts(), plan.workers().cores()))
          .close(services, failure.orElse(null));
    }
  }

  private MasterServices.Context context(Handover handover) {
    return new MasterServices.Context(
        conf,
        fs,
        staging,
        plan,
        new MasterServices.FirstAsk(plan.workers().staffing().least(), rate -> List.of()),
        () -> false,
        attempt,
        handover,
        steady);
  }

  private void takeOver() throws IOException, InterruptedException {
    AppMaster.journalPatience(conf).run(() -> journals.read(replay::take));
    replay.goOn(attempt.getAttemptId());
    try {
      journals.replace(attempt.getAttemptId(), replay.known()::kept, replay.ends());
    } catch (IOException e) {
      // They are longer than they need to be, and no worse for that.
      LOG.warn("What is forgotten stays in the journal", e);
    }
  }

  /** Takes jobs until the pool has come to its end. */
  private Optional<RunFailure> serve(
      MasterServices services, @Nullable HintDesk desk, Handover handover)
      throws IOException, InterruptedException, ExecutionException {
    RunController controller = services.controller();
    try (PoolHints hints = hints(services, desk, handover)) {
      PoolDesk jobs =
          new PoolDesk(
              new PoolDesk.Identity(id(), plan.name(), plan.offer()),
              new PoolDesk.Parts(growing, book, controller),
              new PoolDesk.Outside(
                  paths -> InputLocations.find(fs, paths),
                  hints == null ? job -> CompletableFuture.completedFuture(null) : hints,
                  new PoolEnding(
                      new EndMark(fs, staging.directory(), attempt.getAttemptId()),
                      handover::isReplaced,
                      files),
                  files),
              steady);
      jobs.heed();
      Gatekeeper gatekeeper = new Gatekeeper(new SecureRandom(), clock);
      try (JobServer server = new JobServer(jobs, gatekeeper)) {
        server.start();
        String url = "http://" + MasterServices.ownAddress() + ":" + server.port();
        staging.writeJson(Staging.ENDPOINT, new SessionEndpoint(url, gatekeeper.key()));
        LOG.info("Taking jobs at {}", url);
        services.every(TICK_MILLIS, () -> tick(services, jobs, hints));
        removeLeftovers();
        files.execute(new KilledPools(fs, staging)::tidy);
        return controller.outcome().get();
      }
    }
  }

  private @Nullable PoolHints hints(
      MasterServices services, @Nullable HintDesk desk, Handover handover) {
    return desk == null
        ? null
        : new PoolHints(
            desk,
            new PoolHints.Owner(id(), plan.user()),
            clock,
            new PoolHints.Surroundings(files, services.status()::note, handover::isReplaced));
  }

  /**
   * Where hints of outputs are handed in, with a file that lets workers look for hints; null when
   * they are handed in nowhere.
   */
  private @Nullable HintDesk hintDesk() throws IOException {
    if (plan.mode() != Mode.WEIR) {
      return null;
    }
    try {
      HintDesk desk = HintDesk.of(conf).orElse(null);
      if (desk != null) {
        HintSet none = new HintSet(id(), plan.user(), null, List.of());
        byte[] json = HintCodec.toJson(none).getBytes(StandardCharsets.UTF_8);
        staging.write(Staging.HINTS, out -> out.write(json));
      }
      return desk;
    } catch (InvalidHintException e) {
      LOG.warn("{}{}", HintDesk.WITHOUT, e.getMessage());
      return null;
    }
  }

  private void tick(MasterServices services, PoolDesk jobs, @Nullable PoolHints hints) {
    if (!book.surplus().isEmpty()) {
      Future<?> unused =
          services
              .controller()
              .tell(
                  () -> {
                    replay.forget();
                    return Step.NOTHING;
                  });
    }
    long ended = book.lastNumber();
    if (ended != lastEnded) {
      lastEnded = ended;
      services.forgiveLosses();
    }
    jobs.endIfIdle();
    if (hints != null) {
      files.execute(hints::extend);
    }
  }

  /** What the workers of earlier ApplicationMasters had begun to write; YARN has ended them. */
  private void removeLeftovers() {
    List<String> paths =
        book.unfinished().stream()
            .flatMap(job -> job.outputs().stream())
            .map(JobFile::path)
            .toList();
    for (int earlier = 1; earlier < attempt.getAttemptId() && !paths.isEmpty(); earlier++) {
      ApplicationAttemptId master =
          ApplicationAttemptId.newInstance(attempt.getApplicationId(), earlier);
      TemporaryFiles leftovers = new TemporaryFiles(paths, AttemptLabels.master(master) + "-");
      files.execute(() -> leftovers.remove(fs));
    }
  }
}
