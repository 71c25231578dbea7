package dev.weir.workflow.session;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.hints.InvalidHintException;
import dev.weir.workflow.concurrent.SteadyClock;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.hdfs.DataNodeProbe;
import dev.weir.workflow.hdfs.EncryptionZones;
import dev.weir.workflow.hdfs.FileSums;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.hdfs.PlainHdfs;
import dev.weir.workflow.hdfs.ReadFailoverSettings;
import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobserver.JobFileUses;
import dev.weir.workflow.jobserver.JobHints;
import dev.weir.workflow.jobserver.JobOrders;
import dev.weir.workflow.jobserver.JobProfiles;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.jobserver.JobServer;
import dev.weir.workflow.jobserver.JobService;
import dev.weir.workflow.jobserver.JobsRecord;
import dev.weir.workflow.jobserver.RequestAuthenticator;
import dev.weir.workflow.jobserver.SessionStop;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.journal.MasterFencing;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.HdfsRunFiles;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.SessionClosing;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
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
import java.util.function.BooleanSupplier;
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
 * Entry point of a session's ApplicationMaster. The session of {@code weir run} executes the run
 * whose plan is in its directory and the runs that are added, and ends with the last. Any other
 * session accepts runs and single jobs until a client stops it. A second application attempt
 * replays the journal and continues with the workers that are still connected.
 */
public final class SessionMaster {
  /** Hadoop's own constant is an int in 3.3 and a long since 3.4; both have the key set. */
  private static final long DEFAULT_EXPIRY_MILLIS = 900_000;

  private static final Logger LOG = LoggerFactory.getLogger(SessionMaster.class);

  /** The number of ended jobs whose status is kept. */
  private static final int MAX_ENDED_JOBS = 10_000;

  /** Short, because a client's submission waits for the flush. */
  private static final long FLUSH_PAUSE_MILLIS = 5;

  private static final long TICK_MILLIS = 1_000;
  private static final int FILE_THREADS = 8;

  /**
   * Limit on the search for results of earlier runs. The client that submits a run waits for it.
   */
  private static final Duration RUN_SEARCH_TIMEOUT = Duration.ofSeconds(60);

  /** How long the end of a session waits for the record of a run that has just ended. */
  private static final long RUN_END_TIMEOUT_MILLIS = 60_000;

  private static final int TASKS_CONSIDERED = 32;

  private final DistributedFileSystem fs;
  private final YarnConfiguration conf;
  private final Staging staging;
  private final MasterPlan plan;

  /** The session's plan; null when the session began with a run. */
  private final @Nullable SessionPlan session;

  private final ApplicationAttemptId attempt;

  /** Wall clock, for times that other machines compare with their own clocks. */
  private final Clock clock;

  /** Monotonic clock, for the dispatcher's events and the run record. */
  private final Clock steady;

  private final ManagedRun.SessionContext runContext;
  private final JobRegistry jobs;
  private final TaskProfileStore profileStore;
  private final JobProfiles jobProfiles;
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
    // Loaded with the others: adding HDFS's defaults later would make Hadoop read all files again.
    this.conf = new YarnConfiguration(new HdfsConfiguration());
    ReadFailoverSettings.applyTo(conf);
    FileSums.prepare(conf);
    Path directory = new Path(require(environment, Staging.DIRECTORY_VARIABLE));
    this.fs = hdfs(directory.toUri(), conf);
    this.staging =
        new Staging(fs, directory)
            .withLibrary(new Path(require(environment, Staging.LIBRARY_VARIABLE)));
    boolean hasSingleRun = staging.number(Staging.SESSION) == 0;
    this.session = hasSingleRun ? null : staging.readJson(Staging.SESSION, SessionPlan.class);
    this.plan = session == null ? staging.readJson(Staging.PLAN, RunPlan.class) : session;
    plan.settings().forEach(conf::set);
    this.runContext =
        new ManagedRun.SessionContext(
            conf,
            fs,
            attempt,
            plan.racks(),
            clock,
            steady,
            hasSingleRun ? searchTimeout(conf) : RUN_SEARCH_TIMEOUT);
    this.profileStore = new TaskProfileStore(directories());
    this.jobProfiles =
        new JobProfiles(
            hasSingleRun ? TaskProfiles.NONE : profileStore.read(), plan.workers().cores());
    this.jobs = new JobRegistry(MAX_ENDED_JOBS, jobProfiles::ended);
    this.dispatcher =
        new Dispatcher(
            plan.mode() == Mode.STOCK ? AssignmentPolicy.FIFO : AssignmentPolicy.DATA_AWARE,
            Limits.DEFAULT,
            plan.workers().size(),
            jobProfiles::of);
    if (hasSingleRun) {
      dispatcher.expect(plan.workers().count());
    }
    this.runs =
        new ManagedRuns(
            new JobOrders(
                jobs, AttemptLabels.master(attempt), new JobFileUses(plan.nodes()), steady),
            jobs,
            new HdfsRunFiles(fs, file -> "/" + file, new DataNodeProbe(), note -> {}));
    this.replay = new SessionReplay(dispatcher, jobs, runs, this::earlierRun, this::giveUp);
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

  /** Opens HDFS without hints: the ApplicationMaster writes no file that has a hint. */
  private static DistributedFileSystem hdfs(URI uri, YarnConfiguration conf) throws IOException {
    Configuration unhinted = new Configuration(conf);
    unhinted.setBoolean(PlainHdfs.HINTS_KEY, false);
    return PlainHdfs.open(uri, unhinted);
  }

  /** Runs the session. */
  public static void main(String[] args) {
    MasterExit.after(
        () -> new SessionMaster(System.getenv(), Clock.systemUTC()).run(), System::exit);
  }

  private String id() {
    return attempt.getApplicationId().toString();
  }

  private RunDirectories directories() {
    return plan.endless()
        ? RunDirectories.besideSessions(fs, staging)
        : RunDirectories.containing(staging);
  }

  /** Opens a run that an earlier application attempt had accepted; empty when the run has ended. */
  private Optional<ManagedRun> earlierRun(String graph) throws IOException {
    Staging directory = directories().directory(graph);
    try {
      return HdfsRetry.DEFAULT.through(
          () ->
              isFirstRun(graph) || summary(directory).end() == null
                  ? Optional.of(
                      ManagedRun.open(runContext, ApplicationId.fromString(graph), directory))
                  : Optional.empty());
    } catch (FileNotFoundException e) {
      if (isFirstRun(graph)) {
        throw e;
      }
      LOG.warn("The directory of the run {} no longer exists", graph, e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Whether the session began with that run, whose directory is the session's. */
  private boolean isFirstRun(String graph) {
    return session == null && graph.equals(id());
  }

  private static RunSummary summary(Staging directory) throws IOException {
    return directory.readJson(Staging.SUMMARY, RunSummary.class);
  }

  /** Fails a run that cannot be resumed, so that the session's other runs continue. */
  private void giveUp(String graph, IOException why) {
    if (isFirstRun(graph)) {
      throw new UncheckedIOException("The plan of the run cannot be read", why);
    }
    LOG.error("The run {} cannot be resumed", graph, why);
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
      LOG.warn("Cannot record that the run {} failed", graph, e);
    }
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    MasterFencing fencing = fencing();
    if (plan.endless()) {
      // An earlier attempt may still be alive: wait until its last writes are visible here.
      TimeUnit.MILLISECONDS.sleep(fencing.unsettledMillis());
    }
    replayJournal();
    ManagedRun singleRun = plan instanceof RunPlan own ? singleRun(own) : null;
    HintPublisher publisher = singleRun == null ? hintPublisher() : null;
    // A later attempt registers hints only after the earlier one, which removes them, is gone.
    boolean isFirstAttempt = attempt.getAttemptId() == 1;
    if (singleRun != null && isFirstAttempt) {
      singleRun.hints().start(singleRun::note);
    }
    try (Journal journal =
            new Journal(
                fs,
                staging.directory(),
                attempt.getAttemptId(),
                plan.endless() ? FLUSH_PAUSE_MILLIS : Journal.PAUSE_MILLIS,
                fencing::requireLast);
        SessionServices services =
            new SessionServices(servicesContext(singleRun, fencing), dispatcher, runs, journal)) {
      fencing.onReplaced(services.controller()::abort);
      journal.start();
      boolean ended = false;
      try {
        journal.append(replay.recordExistingFiles());
        JournalCompactor compactor =
            new JournalCompactor(
                new JournalCompactor.Parts(journal, journals, replay, jobs, services.controller()),
                files,
                JournalCompactor.MIN_BYTES);
        services.every(TICK_MILLIS, compactor::compactIfDue);
        if (session != null) {
          takeWork(session, services, journal, hints(publisher, fencing), fencing);
        } else if (singleRun != null) {
          if (!isFirstAttempt) {
            singleRun.hints().start(singleRun::note);
          }
          runSingle(singleRun, services, journal);
        }
        ended = true;
      } finally {
        closeRuns(!ended && fencing.isReplaced());
      }
    }
  }

  /** Closes the runs; hints stay registered when another ApplicationMaster continues them. */
  private void closeRuns(boolean left) {
    for (ManagedRun run : runs.all()) {
      if (left) {
        run.hints().leave();
      }
      run.close();
    }
  }

  /** Returns the session's first run, from the journal if that has it. */
  private ManagedRun singleRun(RunPlan own) {
    return runs.find(id())
        .orElseGet(() -> ManagedRun.of(runContext, attempt.getApplicationId(), staging, own));
  }

  /** Executes the session's first run, and ends the session with it and the runs added since. */
  private void runSingle(ManagedRun singleRun, SessionServices services, Journal journal)
      throws IOException, InterruptedException, ExecutionException {
    SessionController controller = services.controller();
    services.registerAndRequestWorkers();
    // Overlaps with the allocation and the start of containers.
    boolean known = runs.find(singleRun.graph()).isPresent();
    Graph graph = known ? null : singleRun.dispatched();
    List<DispatchRecord> found = known ? List.of() : singleRun.foundBefore();
    runs.add(singleRun);
    if (graph != null) {
      // Before the number of wanted workers is first computed.
      var unusedAdded = controller.submit(() -> dispatcher.addGraph(graph, found, steady.millis()));
    }
    ExecutorService threads = Executors.newCachedThreadPool(DaemonThreadFactory.named("runs"));
    RunService service =
        runService(services, runContext.within(RUN_SEARCH_TIMEOUT), () -> false, threads);
    singleRun.begin(controller, service::take, threads, CacheTraffic.NONE);
    List<ManagedRun> further = runs.all().stream().filter(run -> run != singleRun).toList();
    further.forEach(service::resume);
    services.begin();
    singleRun.follow(services.rounds());
    further.forEach(run -> run.follow(services.rounds()));
    FirstRunEnding ending = new FirstRunEnding(singleRun, service, controller);
    ending.watch();
    if (singleRun.firstTasksHaveHints()) {
      singleRun.hints().await();
    }
    services.awaitWorkers();
    controller.start();
    RunFailure failure = controller.outcome().get().orElse(null);
    journal.finish();
    endFurther(singleRun, services, failure == null ? stopped() : failure);
    ending.close(services, staging, failure);
  }

  /** Ends the runs that were added to the session of a run. */
  private void endFurther(ManagedRun first, SessionServices services, RunFailure failure)
      throws IOException, InterruptedException {
    List<ManagedRun> further = runs.all().stream().filter(run -> run != first).toList();
    if (further.isEmpty()) {
      return;
    }
    services.requireLast();
    // Before the records: until then workers may commit.
    services.finish();
    for (ManagedRun run : further) {
      end(run, services, failure);
    }
  }

  /** Returns the service that takes runs until the session is ending. */
  private RunService runService(
      SessionServices services,
      ManagedRun.SessionContext context,
      BooleanSupplier isEnding,
      ExecutorService threads)
      throws IOException {
    return new RunService(
        new RunService.Parts(dispatcher, runs, services, secrets()),
        context,
        directories(),
        isEnding,
        threads);
  }

  /** Accepts runs and jobs until the session ends. */
  private void takeWork(
      SessionPlan taking,
      SessionServices services,
      Journal journal,
      @Nullable JobHints jobHints,
      MasterFencing fencing)
      throws IOException, InterruptedException, ExecutionException {
    SessionController controller = services.controller();
    controller.containFailures();
    ExecutorService threads = Executors.newCachedThreadPool(DaemonThreadFactory.named("runs"));
    Optional<RunFailure> failure;
    try (JobHints hints = jobHints) {
      SessionStop stop =
          new SessionStop(
              new SessionStop.Place(fs, staging.directory(), attempt.getAttemptId()),
              fencing::isReplaced,
              files);
      RunService service = runService(services, runContext, stop::isRequested, threads);
      services.registerAndRequestWorkers();
      runs.all().forEach(service::resume);
      services.begin();
      runs.all().forEach(run -> run.follow(services.rounds()));
      JobService jobService = jobService(taking, controller, stop, service, hints);
      services.placeNextWorkers(() -> dispatcher.readyInputs(TASKS_CONSIDERED));
      jobService.resumeStop();
      RequestAuthenticator authenticator = new RequestAuthenticator(new SecureRandom(), clock);
      try (JobServer server = new JobServer(jobService, service, authenticator, ports())) {
        server.start();
        String url = "http://" + SessionServices.ownAddress() + ":" + server.port();
        staging.writeJson(Staging.ENDPOINT, new SessionEndpoint(url, authenticator.key()));
        LOG.info("Taking runs and jobs at {}", url);
        services.every(TICK_MILLIS, () -> tick(services, jobService, hints));
        services.awaitReconnects();
        controller.start();
        removeLeftovers(controller);
        files.execute(new KilledSessions(fs, staging)::cleanUp);
        failure = controller.outcome().get();
      }
    }
    journal.finish();
    close(taking, services, failure.orElse(null));
    threads.shutdown();
  }

  private static TaskSecrets secrets() throws IOException {
    return TaskSecrets.of(UserGroupInformation.getCurrentUser().getCredentials());
  }

  private JobService jobService(
      SessionPlan taking,
      SessionController controller,
      SessionStop stop,
      RunService service,
      @Nullable JobHints hints)
      throws IOException {
    return new JobService(
        new JobService.Identity(id(), taking.name(), taking.offer(), secrets()),
        new JobService.Parts(dispatcher, jobs, controller),
        new JobService.Dependencies(
            paths -> InputLocations.find(fs, paths),
            paths -> EncryptionZones.mayContain(fs, paths),
            hints == null ? job -> CompletableFuture.completedFuture(null) : hints::include,
            stop,
            service::count,
            files),
        steady);
  }

  private PortRange ports() {
    return PortRange.of(conf, PortRange.MASTER_KEY);
  }

  /** Ends the unfinished runs, and then the session. */
  private void close(SessionPlan taken, SessionServices services, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    RunFailure why = failure == null ? stopped() : failure;
    new SessionClosing(
            staging,
            () -> {
              for (ManagedRun run : runs.all()) {
                end(run, services, why);
              }
              profileStore.learn(jobProfiles.attempts(), plan.workers().cores());
              Optional<JobsRecord> jobsRecord = jobsRecord(taken, services, failure);
              if (jobsRecord.isPresent()) {
                new JobsClosing(conf, directories()).close(jobsRecord.get());
              }
              // Left by copies that the shutdown of their workers cut off.
              new TemporaryFiles(
                      jobs.intermediatePaths(), AttemptLabels.run(attempt.getApplicationId()))
                  .remove(fs);
            })
        .close(services, failure);
  }

  private Optional<JobsRecord> jobsRecord(
      SessionPlan taken, SessionServices services, @Nullable RunFailure failure) {
    return JobsRecord.of(
        jobs,
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

  /** Ends a run. A failure is logged, so that the other runs are still ended. */
  private static void end(ManagedRun run, SessionServices services, RunFailure stopped)
      throws InterruptedException {
    if (!run.claimEnd()) {
      run.awaitClosed(RUN_END_TIMEOUT_MILLIS);
      return;
    }
    Optional<RunFailure> outcome = run.outcome().getNow(Optional.of(stopped));
    try {
      run.finish(new RunEnding(run, services, false, () -> false), outcome.orElse(null));
    } catch (IOException | RuntimeException e) {
      LOG.error("Cannot record the end of the run {}", run.graph(), e);
    }
  }

  private static RunFailure stopped() {
    return new RunFailure(
        "", 0, List.of(), -1, "", "its session was stopped", "", true, GivenUp.NONE);
  }

  private MasterFencing fencing() throws InterruptedException {
    return MasterFencing.of(
        MasterFencing.in(staging),
        MasterFencing.Term.of(
            attempt.getAttemptId(), Duration.ofMillis(expiryMillis(conf)), journalTime(conf)),
        journalRetry(conf));
  }

  /**
   * Limit on the search for earlier results. A resumed attempt sends no heartbeat to YARN, and idle
   * workers wait, until the search ends.
   */
  private static Duration searchTimeout(YarnConfiguration conf) {
    return Duration.ofMillis(expiryMillis(conf) / 2);
  }

  /**
   * Retries while the journal is unreadable: without it all work would be repeated and all jobs
   * forgotten. The limit is shorter than YARN's expiry of an unregistered ApplicationMaster, with
   * time left for other reads.
   */
  private static HdfsRetry journalRetry(YarnConfiguration conf) {
    return HdfsRetry.of(journalTime(conf), Journal::mayBeReadable);
  }

  private static Duration journalTime(YarnConfiguration conf) {
    return Duration.ofMillis(expiryMillis(conf) * 2 / 5);
  }

  private static long expiryMillis(YarnConfiguration conf) {
    return conf.getTimeDuration(
        YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, DEFAULT_EXPIRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private SessionServices.Context servicesContext(
      @Nullable ManagedRun singleRun, MasterFencing fencing) {
    return new SessionServices.Context(
        conf,
        fs,
        staging,
        directories().root(),
        plan,
        singleRun == null
            ? new SessionServices.InitialRequest(
                plan.workers().staffing().least(), rate -> List.of())
            : new SessionServices.InitialRequest(
                plan.workers().count(),
                rate ->
                    plan.mode() == Mode.WEIR
                        ? InputResourceNames.names(singleRun.plan(), rate)
                        : List.of()),
        singleRun == null ? () -> plan.mode() == Mode.WEIR : singleRun.hints()::mayBeInForce,
        attempt,
        fencing,
        steady);
  }

  private void replayJournal() throws IOException, InterruptedException {
    journalRetry(conf).run(() -> journals.read(replay::replay));
    replay.finish(attempt.getAttemptId());
    try {
      journals.replace(attempt.getAttemptId(), replay.compactionFilter()::kept, replay.endedJobs());
    } catch (IOException e) {
      // The journals stay longer than necessary, but correct.
      LOG.warn("Cannot compact the journal; it keeps the records of forgotten jobs", e);
    }
  }

  private @Nullable JobHints hints(@Nullable HintPublisher publisher, MasterFencing fencing) {
    return publisher == null
        ? null
        : new JobHints(
            publisher,
            new JobHints.Owner(id(), plan.user()),
            clock,
            new JobHints.Dependencies(files, runs::note, fencing::isReplaced));
  }

  /** Returns the publisher of output hints; null without hints. */
  private @Nullable HintPublisher hintPublisher() throws IOException {
    try {
      return plan.mode() == Mode.WEIR ? HintPublisher.of(conf, fs.getUri()).orElse(null) : null;
    } catch (InvalidHintException e) {
      LOG.warn("{}{}", HintPublisher.WITHOUT, e.getMessage());
      return null;
    }
  }

  private void tick(SessionServices services, JobService jobService, @Nullable JobHints hints) {
    if (!jobs.surplus().isEmpty()) {
      Future<?> unused =
          services
              .controller()
              .submit(
                  () -> {
                    replay.forget();
                    return Step.NOTHING;
                  });
    }
    long ended = jobs.lastNumber();
    if (ended != lastEnded) {
      lastEnded = ended;
      services.resetEndCount();
    }
    jobService.endIfIdle();
    if (hints != null) {
      files.execute(hints::extend);
    }
  }

  /**
   * Removes temporary files of lost workers. The workers that reconnected have reported the
   * attempts that they still run.
   */
  private void removeLeftovers(SessionController controller) {
    Set<String> inHand = Set.copyOf(controller.progress("").running());
    List<String> paths = new ArrayList<>();
    for (var job : jobs.unfinished()) {
      if (!inHand.contains(job.id())) {
        job.outputs().stream().map(JobFile::path).forEach(paths::add);
        job.globs().stream().map(glob -> glob.path() + "/").forEach(paths::add);
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
