package dev.weir.workflow.session;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.workflow.concurrent.DaemonThreadFactory;
import dev.weir.workflow.concurrent.SteadyClock;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.hdfs.DataNodeProbe;
import dev.weir.workflow.hdfs.FileSums;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.hdfs.ReadFailoverSettings;
import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobserver.JobFileUses;
import dev.weir.workflow.jobserver.JobHints;
import dev.weir.workflow.jobserver.JobOrders;
import dev.weir.workflow.jobserver.JobProfiles;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.jobserver.JobServer;
import dev.weir.workflow.jobserver.JobService;
import dev.weir.workflow.jobserver.JobsRecord;
import dev.weir.workflow.jobserver.ProfilingJobListener;
import dev.weir.workflow.jobserver.RequestAuthenticator;
import dev.weir.workflow.jobserver.SessionStop;
import dev.weir.workflow.jobserver.StopMarker;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.HdfsRunFiles;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.SessionClosing;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.GivenUp;
import dev.weir.workflow.scheduler.Graph;
import dev.weir.workflow.scheduler.Limits;
import dev.weir.workflow.scheduler.Policy;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.Step;
import dev.weir.workflow.scheduler.TaskProfiles;
import dev.weir.workflow.staging.MasterPlan;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.SessionPlan;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry point of a session's ApplicationMaster. A session that {@code weir run} has for itself does
 * the run whose plan is in its directory, and ends with it; any other takes runs and single jobs
 * until it is told to stop. A second attempt carries on from the journal, with the workers that are
 * there.
 */
public final class SessionMaster {

  private static final Logger LOG = LoggerFactory.getLogger(SessionMaster.class);

  /** Jobs that have ended and are still known. */
  private static final int JOBS_KEPT = 10_000;

  /** Clients wait for each flush. */
  private static final long FLUSH_PAUSE_MILLIS = 5;

  private static final long TICK_MILLIS = 1_000;
  private static final int FILE_THREADS = 8;

  /** Who submits a run waits while it is found out what earlier runs have done. */
  private static final Duration TAKING = Duration.ofSeconds(60);

  /** A run that has just ended may take so long to write its record when its session ends. */
  private static final long ENDING_MILLIS = 60_000;

  private static final int TASKS_LOOKED_AT = 32;

  private final DistributedFileSystem fs;
  private final YarnConfiguration conf;
  private final Staging staging;
  private final MasterPlan plan;

  /** What the session is to do; null for one that has a run for itself. */
  private final @Nullable SessionPlan session;

  private final ApplicationAttemptId attempt;

  /** For what others compare with their own clocks. */
  private final Clock clock;

  /** For all that is told to the dispatcher, and written into the record. */
  private final Clock steady;

  private final ManagedRun.Surroundings around;
  private final JobRegistry book = new JobRegistry(JOBS_KEPT);
  private final TaskProfileStore habits;
  private final JobProfiles taught;
  private final Dispatcher dispatcher;
  private final ManagedRuns runs;
  private final SessionReplay replay;
  private final JournalReader journals;
  private final ExecutorService files =
      Executors.newFixedThreadPool(FILE_THREADS, DaemonThreadFactory.named("job-files"));
  private long lastEnded;

  private SessionMaster(Map<String, String> environment, Clock clock) throws IOException {
    this.clock = clock;
    this.steady = new SteadyClock(clock, System::nanoTime);
    this.attempt =
        ContainerId.fromString(
                require(environment, ApplicationConstants.Environment.CONTAINER_ID.name()))
            .getApplicationAttemptId();
    // HDFS' defaults with the others: coming later they would have all files read again.
    this.conf = new YarnConfiguration(new HdfsConfiguration());
    ReadFailoverSettings.applyTo(conf);
    FileSums.prepare(conf);
    Path directory = new Path(require(environment, Staging.DIRECTORY_VARIABLE));
    this.fs = hdfs(directory.toUri(), conf);
    this.staging =
        new Staging(fs, directory)
            .withLibrary(new Path(require(environment, Staging.LIBRARY_VARIABLE)));
    boolean own = staging.number(Staging.SESSION) == 0;
    this.session = own ? null : staging.readJson(Staging.SESSION, SessionPlan.class);
    this.plan = session == null ? staging.readJson(Staging.PLAN, RunPlan.class) : session;
    plan.settings().forEach(conf::set);
    this.around =
        new ManagedRun.Surroundings(
            conf, fs, attempt, plan.racks(), clock, steady, own ? patience(conf) : TAKING);
    this.habits = new TaskProfileStore(directories());
    this.taught = new JobProfiles(own ? TaskProfiles.NONE : habits.read(), plan.workers().cores());
    this.dispatcher =
        new Dispatcher(
            plan.mode() == Mode.STOCK ? Policy.FIFO : Policy.DATA_AWARE,
            new Limits(JobOptions.MOST_ATTEMPTS, Limits.DEFAULT.losses()),
            plan.workers().size(),
            taught::of);
    if (own) {
      dispatcher.expect(plan.workers().count());
    } else {
      dispatcher.caches().copyAhead(true);
    }
    this.runs =
        new ManagedRuns(
            new JobOrders(
                book, AttemptLabels.master(attempt), new JobFileUses(plan.nodes()), steady),
            new ProfilingJobListener(book, taught),
            new HdfsRunFiles(fs, file -> "/" + file, new DataNodeProbe(), note -> {}));
    this.replay = new SessionReplay(dispatcher, book, runs, this::earlierRun, this::giveUp);
    this.journals = new JournalReader(fs, staging.directory());
  }

  private static String require(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null) {
      throw new IllegalStateException(
          "The environment variable " + name + " is not set: this runs in a YARN container");
    }
    return value;
  }

  /** An ApplicationMaster's client reads no hints: it writes nothing that they are for. */
  private static DistributedFileSystem hdfs(URI uri, YarnConfiguration conf) throws IOException {
    Configuration unhinted = new Configuration(conf);
    unhinted.set(HintSettings.QUORUM_KEY, "");
    return PlainHdfs.open(uri, unhinted);
  }

  /**
   * Runs the session.
   *
   * @param args none
   */
  public static void main(String[] args) {
    MasterExit.after(
        () -> new SessionMaster(System.getenv(), Clock.systemUTC()).run(), System::exit);
  }

  private String id() {
    return attempt.getApplicationId().toString();
  }

  /** Where runs have their directories. */
  private RunDirectories directories() {
    return plan.endless()
        ? RunDirectories.besideSessions(fs, staging)
        : RunDirectories.containing(fs, staging);
  }

  /** A run that an earlier ApplicationMaster of this session had taken. */
  private Optional<ManagedRun> earlierRun(String graph) throws IOException {
    Staging directory = directories().directory(graph);
    try {
      return HdfsRetry.DEFAULT.through(
          () ->
              !plan.endless() || summary(directory).end() == null
                  ? Optional.of(ManagedRun.open(around, ApplicationId.fromString(graph), directory))
                  : Optional.empty());
    } catch (FileNotFoundException e) {
      if (!plan.endless()) {
        throw e;
      }
      LOG.warn("Nothing is left of the run {}", graph, e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static RunSummary summary(Staging directory) throws IOException {
    return directory.readJson(Staging.SUMMARY, RunSummary.class);
  }

  /** Fails a run with which this ApplicationMaster cannot go on: the others are not to be lost. */
  private void giveUp(String graph, IOException why) {
    if (!plan.endless()) {
      throw new UncheckedIOException("What the run is to do cannot be read", why);
    }
    LOG.error("The run {} cannot go on", graph, why);
    Staging directory = directories().directory(graph);
    try {
      directory.writeJson(
          Staging.SUMMARY,
          summary(directory)
              .ended(
                  new RunSummary.End(
                      RunState.FAILED,
                      clock.instant().toString(),
                      0,
                      0,
                      0,
                      0,
                      0,
                      "its session was started again and could not read what it needs: "
                          + why.getMessage())));
    } catch (IOException e) {
      LOG.warn("That the run {} has failed cannot be written down", graph, e);
    }
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    MasterFencing handover = handover();
    if (plan.endless()) {
      // An earlier one that still goes on is to take nothing more that is not read here.
      TimeUnit.MILLISECONDS.sleep(handover.unsettledMillis());
    }
    takeOver();
    ManagedRun own = plan.endless() ? null : ownRun();
    HintPublisher desk = own == null ? hintDesk() : null;
    // A later ApplicationMaster first sees that the one before it, which removes them, is gone.
    boolean early = attempt.getAttemptId() == 1;
    if (own != null && early) {
      own.hints().start(own::note);
    }
    try (Journal journal =
            new Journal(
                fs,
                staging.directory(),
                attempt.getAttemptId(),
                plan.endless() ? FLUSH_PAUSE_MILLIS : Journal.PAUSE_MILLIS,
                handover::requireLast);
        SessionServices services =
            new SessionServices(context(own, handover), dispatcher, runs, journal)) {
      handover.onReplaced(services.controller()::abort);
      journal.start();
      boolean ended = false;
      try {
        journal.append(replay.completed());
        JournalCompactor lean =
            new JournalCompactor(
                new JournalCompactor.Parts(journal, journals, replay, book, services.controller()),
                files,
                JournalCompactor.LEAST_BYTES);
        services.every(TICK_MILLIS, lean::look);
        if (session != null) {
          serve(session, services, journal, hints(desk, handover), handover);
        } else if (own != null) {
          if (!early) {
            own.hints().start(own::note);
          }
          carryOut(own, services, journal);
        }
        ended = true;
      } finally {
        letGo(!ended && handover.isReplaced());
      }
    }
  }

  /** Another ApplicationMaster that goes on with the runs needs their hints. */
  private void letGo(boolean left) {
    for (ManagedRun run : runs.all()) {
      if (left) {
        run.hints().leave();
      }
      run.close();
    }
  }

  /** The run of a session that has but one; the journal may know it. */
  private ManagedRun ownRun() throws IOException {
    Optional<ManagedRun> known = runs.find(id());
    return known.isPresent()
        ? known.get()
        : ManagedRun.open(around, attempt.getApplicationId(), staging);
  }

  /** Does the run of a session that has but one, and ends the session with it. */
  private void carryOut(ManagedRun own, SessionServices services, Journal journal)
      throws IOException, InterruptedException, ExecutionException {
    SessionController controller = services.controller();
    services.hire();
    // Else while YARN finds containers, and they start.
    boolean known = runs.find(own.graph()).isPresent();
    Graph graph = known ? null : own.dispatched();
    List<DispatchRecord> found = known ? List.of() : own.foundBefore();
    runs.add(own);
    if (graph != null) {
      // Before anybody asks how many workers there is use for.
      var unusedToo = controller.tell(() -> dispatcher.addGraph(graph, found, steady.millis()));
    }
    own.begin(controller, CacheTraffic.NONE);
    services.begin();
    own.follow(services.rounds());
    var unused =
        own.outcome()
            .thenAccept(failure -> failure.ifPresentOrElse(controller::fail, controller::stop));
    if (own.firstTasksHaveHints()) {
      own.hints().await();
    }
    services.awaitWorkers();
    controller.start();
    RunFailure failure = controller.outcome().get().orElse(null);
    journal.finish();
    own.finish(new RunEnding(own, services, true), failure);
  }

  /** Takes runs and jobs until the session has come to its end. */
  private void serve(
      SessionPlan taking,
      SessionServices services,
      Journal journal,
      @Nullable JobHints jobHints,
      MasterFencing handover)
      throws IOException, InterruptedException, ExecutionException {
    SessionController controller = services.controller();
    TaskSecrets secrets = TaskSecrets.of(UserGroupInformation.getCurrentUser().getCredentials());
    controller.share();
    ExecutorService threads = Executors.newCachedThreadPool(DaemonThreadFactory.named("runs"));
    Optional<RunFailure> failure;
    try (JobHints hints = jobHints) {
      SessionStop ending =
          new SessionStop(
              new StopMarker(fs, staging.directory(), attempt.getAttemptId()),
              handover::isReplaced,
              files);
      RunService service =
          new RunService(
              new RunService.Parts(dispatcher, runs, services, secrets),
              around,
              directories(),
              ending::isWanted,
              threads);
      services.hire();
      runs.all().forEach(service::resume);
      services.begin();
      runs.all().forEach(run -> run.follow(services.rounds()));
      JobService jobs =
          new JobService(
              new JobService.Identity(id(), taking.name(), taking.offer(), secrets),
              new JobService.Parts(dispatcher, book, controller),
              new JobService.Outside(
                  paths -> InputLocations.find(fs, paths),
                  hints == null ? job -> CompletableFuture.completedFuture(null) : hints,
                  ending,
                  service::count,
                  files),
              steady);
      services.hireFor(() -> dispatcher.readyInputs(TASKS_LOOKED_AT));
      jobs.heed();
      RequestAuthenticator gatekeeper = new RequestAuthenticator(new SecureRandom(), clock);
      try (JobServer server = new JobServer(jobs, service, gatekeeper)) {
        server.start();
        String url = "http://" + SessionServices.ownAddress() + ":" + server.port();
        staging.writeJson(Staging.ENDPOINT, new SessionEndpoint(url, gatekeeper.key()));
        LOG.info("Taking runs and jobs at {}", url);
        services.every(TICK_MILLIS, () -> tick(services, jobs, hints));
        services.awaitReturning();
        controller.start();
        removeLeftovers(controller);
        files.execute(new KilledSessions(fs, staging)::tidy);
        failure = controller.outcome().get();
      }
    }
    journal.finish();
    close(taking, services, failure.orElse(null));
    threads.shutdown();
  }

  /** Ends the runs that still go on, and then the session. */
  private void close(SessionPlan taken, SessionServices services, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    RunFailure why = failure == null ? stopped() : failure;
    new SessionClosing(
            staging,
            () -> {
              for (ManagedRun run : runs.all()) {
                end(run, services, why);
              }
              habits.learn(taught.attempts(), plan.workers().cores());
              Optional<JobsRecord> jobs = jobs(taken, services, failure);
              if (jobs.isPresent()) {
                new JobsClosing(conf, directories()).close(jobs.get());
              }
            })
        .close(services, failure);
  }

  private Optional<JobsRecord> jobs(
      SessionPlan taken, SessionServices services, @Nullable RunFailure failure) {
    return JobsRecord.of(
        book,
        new JobsRecord.Owner(
            id(),
            taken.name(),
            taken.mode().label(),
            taken.user(),
            fs.getHomeDirectory().toUri().getPath()),
        services.cacheTraffic(),
        failure == null ? null : failure.inOneLine(),
        steady.millis());
  }

  /** One that cannot be ended keeps none of the others from that. */
  private static void end(ManagedRun run, SessionServices services, RunFailure stopped)
      throws InterruptedException {
    if (!run.claimEnd()) {
      run.awaitClosed(ENDING_MILLIS);
      return;
    }
    Optional<RunFailure> own = run.outcome().getNow(Optional.of(stopped));
    try {
      run.finish(new RunEnding(run, services, false), own.orElse(null));
    } catch (IOException | RuntimeException e) {
      LOG.error("How the run {} has ended cannot be written down", run.graph(), e);
    }
  }

  private static RunFailure stopped() {
    return new RunFailure(
        "", 0, List.of(), -1, "", "its session was stopped", "", true, GivenUp.NONE);
  }

  private MasterFencing handover() throws InterruptedException {
    return MasterFencing.of(
        MasterFencing.in(staging),
        MasterFencing.Term.of(
            attempt.getAttemptId(), Duration.ofMillis(expiryMillis(conf)), journalTime(conf)),
        journalPatience(conf));
  }

  /**
   * Of one that carries on YARN hears nothing until it has found out what need not be done; the
   * workers of others have nothing to do until then.
   */
  private static Duration patience(YarnConfiguration conf) {
    return Duration.ofMillis(expiryMillis(conf) / 2);
  }

  /**
   * With a journal that cannot be read now: without it all would be done again, and a session would
   * know nothing of its jobs. Shorter than YARN's with a new ApplicationMaster, also when other
   * things are found out before it registers.
   */
  private static HdfsRetry journalPatience(YarnConfiguration conf) {
    return HdfsRetry.of(journalTime(conf), Journal::mayBeReadable);
  }

  private static Duration journalTime(YarnConfiguration conf) {
    return Duration.ofMillis(expiryMillis(conf) * 2 / 5);
  }

  private static long expiryMillis(YarnConfiguration conf) {
    return conf.getTimeDuration(
        YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS,
        YarnConfiguration.DEFAULT_RM_AM_EXPIRY_INTERVAL_MS,
        TimeUnit.MILLISECONDS);
  }

  private SessionServices.Context context(@Nullable ManagedRun own, MasterFencing handover) {
    return new SessionServices.Context(
        conf,
        fs,
        staging,
        directories().root(),
        plan,
        own == null
            ? new SessionServices.FirstAsk(plan.workers().staffing().least(), rate -> List.of())
            : new SessionServices.FirstAsk(
                plan.workers().count(),
                rate -> plan.mode() == Mode.WEIR ? FirstInputs.names(own.plan(), rate) : List.of()),
        own == null ? () -> false : own.hints()::inForceSoon,
        attempt,
        handover,
        steady);
  }

  private void takeOver() throws IOException, InterruptedException {
    journalPatience(conf).run(() -> journals.read(replay::take));
    replay.goOn(attempt.getAttemptId());
    try {
      journals.replace(attempt.getAttemptId(), replay.known()::kept, replay.ends());
    } catch (IOException e) {
      // They are longer than they need to be, and no worse for that.
      LOG.warn("What is forgotten stays in the journal", e);
    }
  }

  private @Nullable JobHints hints(@Nullable HintPublisher desk, MasterFencing handover) {
    return desk == null
        ? null
        : new JobHints(
            desk,
            new JobHints.Owner(id(), plan.user()),
            clock,
            new JobHints.Surroundings(files, runs::note, handover::isReplaced));
  }

  /**
   * Where hints of outputs are handed in, with a file that lets workers look for hints; null when
   * they are handed in nowhere.
   */
  private @Nullable HintPublisher hintDesk() throws IOException {
    if (plan.mode() != Mode.WEIR) {
      return null;
    }
    try {
      HintPublisher desk = HintPublisher.of(conf).orElse(null);
      if (desk != null) {
        HintSet none = new HintSet(id(), plan.user(), null, List.of());
        byte[] json = HintCodec.toJson(none).getBytes(StandardCharsets.UTF_8);
        staging.write(Staging.HINTS, out -> out.write(json));
      }
      return desk;
    } catch (InvalidHintException e) {
      LOG.warn("{}{}", HintPublisher.WITHOUT, e.getMessage());
      return null;
    }
  }

  private void tick(SessionServices services, JobService jobs, @Nullable JobHints hints) {
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
      services.resetEndCount();
    }
    jobs.endIfIdle();
    if (hints != null) {
      files.execute(hints::extend);
    }
  }

  /**
   * What workers of earlier ApplicationMasters had begun to write that are gone; those that are
   * there have said what they have in hand.
   */
  private void removeLeftovers(SessionController controller) {
    Set<String> inHand = Set.copyOf(controller.progress("").running());
    List<String> paths = new ArrayList<>();
    for (var job : book.unfinished()) {
      if (!inHand.contains(job.id())) {
        job.outputs().stream().map(JobFile::path).forEach(paths::add);
      }
    }
    for (int earlier = 1; earlier < attempt.getAttemptId() && !paths.isEmpty(); earlier++) {
      ApplicationAttemptId master =
          ApplicationAttemptId.newInstance(attempt.getApplicationId(), earlier);
      TemporaryFiles leftovers = new TemporaryFiles(paths, AttemptLabels.master(master) + "-");
      files.execute(() -> leftovers.remove(fs));
    }
  }
}
