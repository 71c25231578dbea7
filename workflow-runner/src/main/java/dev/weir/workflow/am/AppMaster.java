package dev.weir.workflow.am;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.Rule;
import dev.weir.hints.client.ClientSettings;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.DispatchRecord.TakenOver;
import dev.weir.workflow.dispatch.Dispatcher;
import dev.weir.workflow.dispatch.Habits;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.Progress;
import dev.weir.workflow.dispatch.RunFailure;
import dev.weir.workflow.hints.HintDesk;
import dev.weir.workflow.hints.HintRegistration;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.provenance.Courier;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.RunSummary;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.run.WorkflowRunner;
import dev.weir.workflow.worker.Patience;
import dev.weir.workflow.worker.QuickFailover;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry point of the ApplicationMaster's container: runs one workflow from its plan in the staging
 * directory to its record there. A second attempt carries on from the journal.
 */
public final class AppMaster {

  private static final Logger LOG = LoggerFactory.getLogger(AppMaster.class);

  private final DistributedFileSystem fs;
  private final YarnConfiguration conf;
  private final Staging staging;
  private final RunPlan plan;
  private final ApplicationAttemptId attempt;
  private final Clock clock;

  private AppMaster(Map<String, String> environment, Clock clock) throws IOException {
    this.clock = clock;
    this.attempt =
        ContainerId.fromString(
                require(environment, ApplicationConstants.Environment.CONTAINER_ID.name()))
            .getApplicationAttemptId();
    this.conf = new YarnConfiguration();
    QuickFailover.applyTo(conf);
    FileSums.prepare(conf);
    Path directory = new Path(require(environment, WorkflowRunner.STAGING_VARIABLE));
    this.fs = hdfs(directory.toUri(), conf);
    this.staging = new Staging(fs, directory);
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
    if (FileSystem.get(uri, unhinted) instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new IOException(uri + " is no HDFS");
  }

  /**
   * Runs the workflow.
   *
   * @param args none
   */
  public static void main(String[] args) {
    int exitCode = 1;
    try {
      new AppMaster(System.getenv(), Clock.systemUTC()).run();
      exitCode = 0;
    } catch (IOException | ExecutionException | RuntimeException e) {
      LOG.error("The ApplicationMaster fails", e);
    } catch (InterruptedException e) {
      LOG.error("The ApplicationMaster was interrupted", e);
    }
    // Hadoop's clients leave threads behind that would keep the container.
    System.exit(exitCode);
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    long started = clock.millis();
    HabitBook habits = new HabitBook(RunDirectories.around(fs, staging));
    Dispatcher dispatcher =
        new Dispatcher(
            plan.workflow(),
            plan.mode() == Mode.STOCK ? Policy.FIFO : Policy.DATA_AWARE,
            plan.choices().keepGoing() ? Limits.DEFAULT.goingOn() : Limits.DEFAULT,
            plan.workers().size(),
            plan.standIn() ? Habits.NONE : habits.read());
    dispatcher.speculate(plan.choices().speculation());
    Orders orders = new Orders(plan, Orders.master(attempt));
    RunRecorder recorder = new RunRecorder(started, orders::task);
    List<DispatchRecord> known =
        journalPatience(conf).through(() -> Journal.read(fs, staging.directory()));
    EarlierRuns earlier =
        new EarlierRuns(
            fs,
            plan,
            attempt.getApplicationId().toString(),
            RunDirectories.around(fs, staging),
            patience(conf));
    Preparation preparation = new Preparation(dispatcher, recorder, earlier, known);
    boolean begun = !known.isEmpty();
    // What came of earlier attempts says what workers are best near.
    List<DispatchRecord> taken = begun ? prepare(preparation) : List.of();
    RunHints hints = hints();
    try (Journal journal = new Journal(fs, staging.directory(), attempt.getAttemptId());
        hints;
        MasterServices services =
            new MasterServices(
                context(hints),
                dispatcher,
                new RunController.Outlets(
                    orders,
                    journal,
                    recorder,
                    answer -> WishBox.answer(staging, answer.wish(), answer.answer())))) {
      journal.start();
      hints.start(services.status()::note);
      services.hire();
      // Else while YARN finds containers, and they start.
      journal.append(begun ? taken : prepare(preparation));
      services.begin();
      Optional<Courier> courier = courier(recorder, services.status());
      try {
        hints.await();
        services.awaitWorkers();
        services.controller().start();
        Optional<RunFailure> failure = services.controller().outcome().get();
        journal.finish();
        finish(services, new RunEnd(recorder, failure, earlier, courier));
      } finally {
        courier.ifPresent(Courier::close);
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
    return Patience.of(Duration.ofMillis(expiryMillis(conf) * 2 / 5), Journal::mayBeReadable);
  }

  private static long expiryMillis(YarnConfiguration conf) {
    return conf.getTimeDuration(
        YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS,
        YarnConfiguration.DEFAULT_RM_AM_EXPIRY_INTERVAL_MS,
        TimeUnit.MILLISECONDS);
  }

  private MasterServices.Context context(RunHints hints) {
    return new MasterServices.Context(
        conf,
        fs,
        staging,
        plan,
        plan.workers().count(),
        rate -> plan.mode() == Mode.WEIR ? FirstInputs.names(plan, rate) : List.of(),
        hints::inForce,
        attempt,
        clock);
  }

  /**
   * What has to be known before tasks are dispatched.
   *
   * @param known what earlier attempts of this run have recorded
   */
  private record Preparation(
      Dispatcher dispatcher,
      RunRecorder recorder,
      EarlierRuns earlier,
      List<DispatchRecord> known) {}

  /** Finds out where the inputs are and what was done before; returns what is taken over now. */
  private List<DispatchRecord> prepare(Preparation run) throws IOException, InterruptedException {
    InputLocations.find(fs, plan)
        .forEach((id, where) -> run.dispatcher().locate(id, where.bytesByHost(), where.extents()));
    boolean first = run.known().stream().noneMatch(record -> record instanceof TakenOver);
    List<DispatchRecord> taken = first ? List.copyOf(run.earlier().takeOver()) : List.of();
    Stream.concat(taken.stream(), run.known().stream())
        .forEach(
            record -> {
              run.dispatcher().replay(record);
              run.recorder().replay(record);
            });
    return taken;
  }

  /** How a run came to its end. */
  private record RunEnd(
      RunRecorder recorder,
      Optional<RunFailure> failure,
      EarlierRuns earlier,
      Optional<Courier> courier) {}

  private Optional<Courier> courier(RunRecorder recorder, StatusBoard notes) {
    return Courier.start(
        conf,
        fs,
        new Courier.Subject(
            attempt.getApplicationId().toString(), plan, recorder.started(), recorder::attempts),
        notes::note);
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
      ClusterShape shape =
          new ClusterShape(
              Math.max(1, plan.racks().size()), Math.max(1, conf.getInt("dfs.replication", 3)));
      List<InferredHint> inferred = HintInference.infer(plan.workflow(), plan.dataDir(), shape);
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

  private RunHints hints() {
    return plan.mode() == Mode.WEIR
        ? RunHints.of(
            conf,
            new HintRegistration.Owner(attempt.getApplicationId().toString(), plan.user()),
            rules(),
            clock)
        : RunHints.none();
  }

  private void finish(MasterServices services, RunEnd end)
      throws IOException, InterruptedException {
    long ended = clock.millis();
    Progress last = services.controller().progress();
    int reused = services.controller().details().reused();
    services.finish();
    boolean cancelled = end.failure().map(RunFailure::cancelled).orElse(false);
    if (attempt.getAttemptId() > 1 || cancelled || end.recorder().anyWorkerLost()) {
      new TemporaryFiles(plan, Orders.run(attempt.getApplicationId())).remove(fs);
    }
    if (end.failure().isPresent()) {
      RunFailure why = end.failure().get();
      Patience.DEFAULT.run(() -> staging.writeJson(Staging.FAILURE, why));
    }
    RunRecord record =
        end.recorder()
            .build(
                new RunRecorder.Name(
                    attempt.getApplicationId().toString(),
                    plan.workflow().name(),
                    plan.mode().label()),
                state(end.failure()),
                ended);
    Patience.DEFAULT.run(
        () -> staging.write(Staging.RECORD, out -> RunRecordCodec.write(record, out)));
    leave(record, summary(record, last, reused, end.failure()), end);
    String why = end.failure().map(MasterServices::inOneLine).orElse(null);
    end.courier().ifPresent(courier -> courier.finish(record, why));
    services.unregister(end.failure());
  }

  /** What this run leaves beside its record; that it has ended counts for more. */
  private void leave(RunRecord record, RunSummary summary, RunEnd end) {
    boolean remembered = end.earlier().remember(record, end.recorder().takenOver());
    if (!plan.standIn()) {
      new HabitBook(RunDirectories.around(fs, staging)).learn(record);
    }
    try {
      staging.writeJson(Staging.SUMMARY, summary);
      staging.tidy(remembered);
    } catch (IOException e) {
      LOG.warn("Cannot tidy up {}", staging.directory(), e);
    }
  }

  private static RunState state(Optional<RunFailure> failure) {
    return failure
        .map(why -> why.cancelled() ? RunState.CANCELLED : RunState.FAILED)
        .orElse(RunState.SUCCEEDED);
  }

  private RunSummary summary(
      RunRecord record, Progress last, int reused, Optional<RunFailure> failure) {
    RunSummary.End end =
        new RunSummary.End(
            record.state(),
            record.ended().toString(),
            last.done(),
            reused,
            last.failedAttempts(),
            last.inputBytesLocal(),
            last.inputBytesRemote(),
            failure.map(MasterServices::inOneLine).orElse(""));
    try {
      return staging.readJson(Staging.SUMMARY, RunSummary.class).ended(end);
    } catch (IOException e) {
      LOG.debug("The client left no summary", e);
      return RunSummary.of(record.runId(), plan, record.started()).ended(end);
    }
  }
}
