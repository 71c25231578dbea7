package dev.weir.workflow.am;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.Rule;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.DispatchRecord.FilesFound;
import dev.weir.workflow.dispatch.DispatchRecord.TakenOver;
import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Habits;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.hints.HintDesk;
import dev.weir.workflow.hints.HintRegistration;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.Fetching;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.infer.Temporaries;
import dev.weir.workflow.provenance.Courier;
import dev.weir.workflow.run.Keep;
import dev.weir.workflow.run.LinkSpeed;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.run.WorkflowRunner;
import dev.weir.workflow.worker.Patience;
import dev.weir.workflow.worker.PlainHdfs;
import dev.weir.workflow.worker.QuickFailover;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
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
 * Entry point of the ApplicationMaster's container: runs one workflow from its plan in the staging
 * directory to its record there. A second attempt carries on from the journal, with the workers
 * that are there.
 */
public final class AppMaster {

  private static final Logger LOG = LoggerFactory.getLogger(AppMaster.class);

  private final DistributedFileSystem fs;
  private final YarnConfiguration conf;
  private final Staging staging;
  private final RunPlan plan;
  private final ApplicationAttemptId attempt;

  /** For what others compare with their own clocks. */
  private final Clock clock;

  /** For all that is told to the dispatcher, and written into the record. */
  private final Clock steady;

  private AppMaster(Map<String, String> environment, Clock clock) throws IOException {
    this.clock = clock;
    this.steady = new SteadyClock(clock, System::nanoTime);
    this.attempt =
        ContainerId.fromString(
                require(environment, ApplicationConstants.Environment.CONTAINER_ID.name()))
            .getApplicationAttemptId();
    // HDFS' defaults with the others: coming later they would have all files read again.
    this.conf = new YarnConfiguration(new HdfsConfiguration());
    QuickFailover.applyTo(conf);
    FileSums.prepare(conf);
    Path directory = new Path(require(environment, WorkflowRunner.STAGING_VARIABLE));
    this.fs = hdfs(directory.toUri(), conf);
    this.staging =
        new Staging(fs, directory)
            .withLibrary(new Path(require(environment, Staging.LIBRARY_VARIABLE)));
    this.plan = staging.readJson(Staging.PLAN, RunPlan.class);
    plan.settings().forEach(conf::set);
  }

  static String require(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null) {
      throw new IllegalStateException(
          "The environment variable " + name + " is not set: this runs in a YARN container");
    }
    return value;
  }

  /** An ApplicationMaster's client reads no hints: it writes nothing that they are for. */
  static DistributedFileSystem hdfs(URI uri, YarnConfiguration conf) throws IOException {
    Configuration unhinted = new Configuration(conf);
    unhinted.set(HintSettings.QUORUM_KEY, "");
    return PlainHdfs.open(uri, unhinted);
  }

  /**
   * Runs the workflow.
   *
   * @param args none
   */
  public static void main(String[] args) {
    MasterExit.after(() -> new AppMaster(System.getenv(), Clock.systemUTC()).run(), System::exit);
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    List<Rule> rules = plan.mode() == Mode.WEIR ? rules() : List.of();
    RunHints hints = hints(rules);
    EarlyNotes notes = new EarlyNotes();
    // A later ApplicationMaster first sees that the one before it, which removes them, is gone.
    boolean early = attempt.getAttemptId() == 1;
    if (early) {
      hints.start(notes);
    }
    Lanes lanes = Lanes.of(rules, hints::inForce);
    Orders orders = new Orders(plan, AttemptLabels.master(attempt), lanes);
    RunRecorder recorder = new RunRecorder(steady.millis(), orders::task);
    LaterCopies copies =
        new LaterCopies(
            recorder,
            file -> lanes.isCopied(plan.path(file)),
            new HdfsReplicas(fs, plan::path),
            steady::millis);
    Dispatcher dispatcher = dispatcher();
    Handover handover = handover();
    Deque<DispatchRecord> known =
        new ArrayDeque<>(
            journalPatience(conf).through(() -> Journal.read(fs, staging.directory())));
    Preparation preparation = new Preparation(dispatcher, recorder, earlierRuns(), known);
    boolean begun = !known.isEmpty();
    // What came of earlier attempts says what workers are best near.
    List<DispatchRecord> taken = begun ? prepare(preparation) : List.of();
    try (Journal journal =
            new Journal(fs, staging.directory(), attempt.getAttemptId(), handover::requireLast);
        hints;
        MasterServices services =
            new MasterServices(
                context(hints, handover),
                dispatcher,
                new RunController.Outlets(
                    orders,
                    journal,
                    copies,
                    answer -> WishBox.answer(staging, answer.wish(), answer.answer())))) {
      handover.whenReplaced(services.controller()::abort);
      hints.during(
          () -> {
            journal.start();
            notes.to(services.status()::note);
            if (!early) {
              hints.start(notes);
            }
            services.hire();
            // Else while YARN finds containers, and they start.
            journal.append(begun ? taken : prepare(preparation));
            preparation.earlier().notes().forEach(services.status()::note);
            services.begin();
            services.lookFor(copies);
            carryOut(services, journal, hints, preparation);
          },
          handover::isReplaced);
    }
  }

  /** With what earlier runs have taken, unless the tasks are stand-ins for others. */
  private Dispatcher dispatcher() throws IOException {
    Dispatcher dispatcher =
        new Dispatcher(
            plan.workflow(),
            plan.mode() == Mode.STOCK ? Policy.FIFO : Policy.DATA_AWARE,
            plan.choices().keepGoing() ? Limits.DEFAULT.goingOn() : Limits.DEFAULT,
            plan.workers().size(),
            habits());
    dispatcher.expect(plan.workers().count());
    dispatcher.speculate(plan.choices().speculation());
    dispatcher.caches().copyAhead(plan.choices().ahead());
    dispatcher.tidying().allow(temporaries());
    dispatcher
        .tidying()
        .want(Temporaries.wanted(plan.workflow(), new Keep(plan.choices().keep()).named()));
    return dispatcher;
  }

  private Habits habits() {
    if (plan.standIn()) {
      return Habits.NONE;
    }
    Habits known = new HabitBook(RunDirectories.around(fs, staging)).read();
    return plan.choices().ignoreNeeds() ? known.withoutNeeds() : known;
  }

  private Set<String> temporaries() {
    return Temporaries.of(plan.workflow(), new Keep(plan.choices().keep()).files(plan.mode()));
  }

  private EarlierRuns earlierRuns() {
    return new EarlierRuns(
        plan,
        RunDirectories.around(fs, staging),
        attempt.getApplicationId(),
        EarlierRuns.Limits.within(patience(conf)),
        steady);
  }

  /** Runs the tasks, and leaves what is to be left of them. */
  private void carryOut(MasterServices services, Journal journal, RunHints hints, Preparation run)
      throws IOException, InterruptedException, ExecutionException {
    Courier courier = courier(run.recorder(), services.status());
    try {
      hints.await();
      services.awaitWorkers();
      services.controller().start();
      RunFailure failure = services.controller().outcome().get().orElse(null);
      journal.finish();
      new RunClosing(fs, staging, plan, attempt, steady)
          .close(services, new RunClosing.End(run.recorder(), failure, run.earlier(), courier));
    } finally {
      if (courier != null) {
        courier.close();
      }
    }
  }

  /**
   * Of one that carries on YARN hears nothing until it has found out what need not be done; the
   * workers of others have nothing to do until then.
   */
  private static Duration patience(YarnConfiguration conf) {
    return Duration.ofMillis(expiryMillis(conf) / 2);
  }

  /**
   * With a journal that cannot be read now: without it all would be done again, and a pool would
   * know nothing of its jobs. Shorter than YARN's with a new ApplicationMaster, also when other
   * things are found out before it registers.
   */
  static Patience journalPatience(YarnConfiguration conf) {
    return Patience.of(journalTime(conf), Journal::mayBeReadable);
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

  private Handover handover() throws InterruptedException {
    return Handover.of(
        Handover.in(staging),
        Handover.Term.of(
            attempt.getAttemptId(), Duration.ofMillis(expiryMillis(conf)), journalTime(conf)),
        journalPatience(conf));
  }

  private MasterServices.Context context(RunHints hints, Handover handover) {
    return new MasterServices.Context(
        conf,
        fs,
        staging,
        plan,
        new MasterServices.FirstAsk(
            plan.workers().count(),
            rate -> plan.mode() == Mode.WEIR ? FirstInputs.names(plan, rate) : List.of()),
        hints::inForceSoon,
        attempt,
        handover,
        steady);
  }

  /**
   * What has to be known before tasks are dispatched.
   *
   * @param known what earlier attempts of this run have recorded and was not taken over yet
   */
  private record Preparation(
      Dispatcher dispatcher,
      RunRecorder recorder,
      EarlierRuns earlier,
      Deque<DispatchRecord> known) {

    private void replay(DispatchRecord record) {
      dispatcher.replay(record);
      recorder.replay(record);
    }
  }

  /** Finds out where the inputs are and what was done before; returns what is taken over now. */
  private List<DispatchRecord> prepare(Preparation run) throws IOException, InterruptedException {
    InputLocations.find(fs, plan).forEach(input -> run.dispatcher().locate(input));
    boolean first = run.known().stream().noneMatch(record -> record instanceof TakenOver);
    List<DispatchRecord> taken = new ArrayList<>();
    // Of an attempt that left no word of it, what it has made counts as found: it stays.
    Set<String> temporaries = temporaries();
    if (!temporaries.isEmpty()
        && run.known().stream().noneMatch(record -> record instanceof FilesFound)) {
      taken.add(new FilesFound(FilesBefore.of(fs, plan, temporaries)));
    }
    if (first) {
      taken.addAll(run.earlier().takeOver());
    }
    taken.forEach(run::replay);
    // There may be as many as a run of a hundred thousand tasks has attempts: none is kept longer.
    while (!run.known().isEmpty()) {
      run.replay(run.known().remove());
    }
    return taken;
  }

  private @Nullable Courier courier(RunRecorder recorder, StatusBoard notes) {
    return Courier.start(
            conf,
            fs,
            new Courier.Subject(
                attempt.getApplicationId().toString(),
                plan,
                recorder.started(),
                recorder::attempts),
            notes::note)
        .orElse(null);
  }

  /**
   * The hints of the run, which its workers find in their directory; none outside mode weir, and
   * none when that fails, for they are advice.
   */
  private List<Rule> rules() {
    if (!isHinted()) {
      return List.of();
    }
    try {
      // Without memory to pin files in: workers keep what is read again on their node themselves.
      ClusterShape shape =
          new ClusterShape(
                  Math.max(1, plan.racks().size()),
                  Math.max(1, conf.getInt("dfs.replication", 3)),
                  Math.max(0, fs.getStatus().getRemaining()))
              .with(
                  new Fetching(LinkSpeed.of(conf), plan.workers().intake().cacheMegabytes() != 0));
      List<InferredHint> inferred =
          HintInference.infer(
              plan.workflow(), plan.dataDir(), shape, new Keep(plan.choices().keep()).named());
      inferred.forEach(hint -> LOG.info("Hint {}: {}", hint.rule(), hint.reason()));
      List<Rule> rules = inferred.stream().map(InferredHint::rule).toList();
      HintSet set = new HintSet(attempt.getApplicationId().toString(), plan.user(), null, rules);
      byte[] json = HintCodec.toJson(set).getBytes(StandardCharsets.UTF_8);
      staging.write(Staging.HINTS, out -> out.write(json));
      return rules;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}{}", HintDesk.WITHOUT, e.getMessage(), e);
      return List.of();
    }
  }

  /** Whether the cluster has a place for hints, without which its NameNode follows none. */
  private boolean isHinted() {
    return !conf.getTrimmed(HintSettings.QUORUM_KEY, "").isEmpty()
        || !conf.getTrimmed(ClientSettings.URL_KEY, "").isEmpty();
  }

  private RunHints hints(List<Rule> rules) {
    return plan.mode() == Mode.WEIR
        ? RunHints.of(
            conf,
            new HintRegistration.Owner(attempt.getApplicationId().toString(), plan.user()),
            rules,
            clock)
        : RunHints.none();
  }
}
