package dev.weir.workflow.run;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.Rule;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.index.HintIndex;
import dev.weir.workflow.concurrent.PeriodicTasks;
import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.hdfs.DataNodeProbe;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.hints.HintRegistration;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.reporter.ProvenanceReporter;
import dev.weir.workflow.reporter.RunOutline;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.DispatchRecord.FilesFound;
import dev.weir.workflow.scheduler.Graph;
import dev.weir.workflow.scheduler.Limits;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.SteeringAnswer;
import dev.weir.workflow.scheduler.TaskProfiles;
import dev.weir.workflow.scheduler.WorkerInfo;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.yarn.QueueRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of a session: its plan, directory, hints, record, status and steering, beside the workers
 * and the dispatcher that all runs of the session share. Thread-safe.
 */
public final class ManagedRun implements RecordListener, AutoCloseable {

  /** After the end of a run the deletion of its intermediate files goes on for so long. */
  private static final long DELETION_MILLIS = 30_000;

  private static final Logger LOG = LoggerFactory.getLogger(ManagedRun.class);

  private final Surroundings around;
  private final ApplicationId id;
  private final Staging staging;
  private final RunPlan plan;
  private final YarnConfiguration conf;
  private final List<Rule> rules;
  private final RunHints hints;
  private final RunOrders orders;
  private final RunRecorder recorder;
  private final LateReplicaTracker copies;
  private final EarlierRuns earlier;
  private final CompletableFuture<Optional<RunFailure>> outcome = new CompletableFuture<>();
  private final CompletableFuture<RunState> closed = new CompletableFuture<>();
  private final AtomicBoolean ending = new AtomicBoolean();

  /** What is noted before the run has begun. */
  private final List<String> earlyNotes = new ArrayList<>();

  private volatile @Nullable Live live;
  private volatile CacheTraffic cachesBefore = CacheTraffic.NONE;

  /**
   * What all runs of a session share.
   *
   * @param conf how to reach the cluster; not changed by this
   * @param attempt of the session's ApplicationMaster
   * @param racks the rack of each node that ran when the session was submitted, by host name
   * @param clock for what others compare with their own clocks
   * @param steady for all that the dispatcher hears and the record keeps
   * @param patience how long it may take to find out what earlier runs have done
   */
  public record Surroundings(
      YarnConfiguration conf,
      DistributedFileSystem fs,
      ApplicationAttemptId attempt,
      Map<String, String> racks,
      Clock clock,
      Clock steady,
      Duration patience) {}

  /** What a run has while it goes on. */
  private record Live(
      StatusWriter status,
      SteeringInbox wishes,
      IntermediateFileDeleter tidier,
      @Nullable ProvenanceReporter courier) {}

  private ManagedRun(Surroundings around, ApplicationId id, Staging staging, RunPlan plan) {
    this.around = around;
    this.id = id;
    this.staging = staging;
    this.plan = plan;
    this.conf = new YarnConfiguration(around.conf());
    plan.settings().forEach(conf::set);
    this.rules = plan.mode() == Mode.WEIR ? inferredRules() : List.of();
    this.hints =
        plan.mode() == Mode.WEIR
            ? RunHints.of(
                conf, new HintRegistration.Owner(id.toString(), plan.user()), rules, around.clock())
            : RunHints.none();
    IncastGroups lanes = IncastGroups.of(rules, hints::inForce);
    this.orders = new RunOrders(id.toString(), plan, AttemptLabels.master(attempt()), lanes);
    this.recorder = new RunRecorder(around.steady().millis(), orders::task);
    this.copies =
        new LateReplicaTracker(
            recorder,
            file -> lanes.isCopied(plan.path(file)),
            new HdfsReplicas(around.fs(), plan::path),
            around.steady()::millis);
    this.earlier =
        new EarlierRuns(
            plan,
            RunDirectories.containing(around.fs(), staging),
            id,
            EarlierRuns.Limits.within(around.patience()),
            around.steady());
  }

  /**
   * Reads what a run is to do, and infers its hints. Blocks.
   *
   * @param id of the run
   * @param staging its directory
   * @throws IOException when its plan cannot be read
   */
  public static ManagedRun open(Surroundings around, ApplicationId id, Staging staging)
      throws IOException {
    RunPlan plan = staging.readJson(Staging.PLAN, RunPlan.class);
    return new ManagedRun(around, id, staging, plan.on(around.racks()));
  }

  /**
   * Labels of attempts, and so the names of temporary files, have the run's own id in any session,
   * so that whoever tidies up behind the run knows them.
   */
  private ApplicationAttemptId attempt() {
    return ApplicationAttemptId.newInstance(id, around.attempt().getAttemptId());
  }

  /** The name of its graph. */
  public String graph() {
    return id.toString();
  }

  public RunPlan plan() {
    return plan;
  }

  RunOrders orders() {
    return orders;
  }

  public RunHints hints() {
    return hints;
  }

  public LateReplicaTracker copies() {
    return copies;
  }

  /** Completes when the dispatcher has ended the graph. */
  public CompletableFuture<Optional<RunFailure>> outcome() {
    return outcome;
  }

  /** Completes when the run's record is written, with how it ended. */
  public CompletableFuture<RunState> closed() {
    return closed.copy();
  }

  /** Whether the caller is the one to write down how the run has ended: the first who asks. */
  public boolean claimEnd() {
    return ending.compareAndSet(false, true);
  }

  /** Nobody will write down how the run has ended. */
  public void endUnwritten(Throwable why) {
    closed.completeExceptionally(why);
  }

  /** Waits until the run's record is written, for a bounded time. */
  public void awaitClosed(long mostMillis) throws InterruptedException {
    try {
      RunState state = closed().get(mostMillis, TimeUnit.MILLISECONDS);
      LOG.info("The run {} has ended as {}", id, state);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The record of the run {} is not written", id, e);
    }
  }

  /**
   * What the dispatcher is to do: the workflow, what is known of its tasks, and where its inputs
   * are. Blocks.
   *
   * @throws IOException when HDFS does not say where the inputs are
   */
  public Graph dispatched() throws IOException {
    Integer priority = QueueRequest.of(plan.settings()).priority();
    return new Graph(
        graph(),
        plan.workflow(),
        plan.choices().keepGoing() ? Limits.DEFAULT.withKeepGoing() : Limits.DEFAULT,
        priority == null ? 0 : priority,
        plan.choices().speculation(),
        plan.choices().ahead(),
        habits(),
        temporaries(),
        IntermediateFiles.wanted(
            plan.workflow(), new RetentionPolicy(plan.choices().keep()).named()),
        InputLocations.find(around.fs(), plan));
  }

  /** What earlier runs have taught, unless the tasks are stand-ins for others. */
  private TaskProfiles habits() {
    if (plan.standIn()) {
      return TaskProfiles.NONE;
    }
    TaskProfiles known =
        new TaskProfileStore(RunDirectories.containing(around.fs(), staging)).read();
    return plan.choices().ignoreNeeds() ? known.withoutNeeds() : known;
  }

  private Set<String> temporaries() {
    return IntermediateFiles.of(
        plan.workflow(), new RetentionPolicy(plan.choices().keep()).files(plan.mode()));
  }

  /**
   * What need not be done, and what must not be deleted because it was there before: records with
   * ids as the workflow has them. Blocks.
   */
  public List<DispatchRecord> foundBefore() throws InterruptedException {
    List<DispatchRecord> found = new ArrayList<>();
    filesBefore().ifPresent(found::add);
    found.addAll(earlier.takeOver());
    earlier.notes().forEach(this::note);
    return found;
  }

  /** What must not be deleted because it is there now. Blocks. */
  public Optional<FilesFound> filesBefore() {
    Set<String> temporaries = temporaries();
    return temporaries.isEmpty()
        ? Optional.empty()
        : Optional.of(new FilesFound(FilesBefore.of(around.fs(), plan, temporaries)));
  }

  /** Whether the outputs of a task that can begin at once have hints. */
  public boolean firstTasksHaveHints() {
    if (rules.isEmpty()) {
      return false;
    }
    HintIndex index = HintIndex.of(List.of(new HintSet(id.toString(), plan.user(), null, rules)));
    WorkflowGraph graph = plan.workflow().graph();
    for (Task task : plan.workflow().tasks()) {
      if (graph.parents(task.id()).isEmpty()
          && task.outputs().stream()
              .anyMatch(output -> index.lookup(plan.path(output)).isPresent())) {
        return true;
      }
    }
    return false;
  }

  /** Takes over a record of an earlier ApplicationMaster, with ids as the workflow has them. */
  public void replay(DispatchRecord record) {
    recorder.replay(record);
  }

  @Override
  public void record(DispatchRecord record) {
    copies.record(record);
  }

  @Override
  public void workerJoined(WorkerInfo worker, long now) {
    copies.workerJoined(worker, now);
  }

  @Override
  public void workerEnded(String worker, long now) {
    copies.workerEnded(worker, now);
  }

  /** Tells the user something, in the run's status. */
  public void note(String note) {
    Live now;
    synchronized (this) {
      now = live;
      if (now == null) {
        earlyNotes.add(note);
      }
    }
    if (now != null) {
      now.status().note(note);
    }
  }

  /**
   * Begins to look after the run's files and to report to the hints service: to be called before
   * the dispatcher starts any of its tasks.
   *
   * @param controller steers the graph and says how far it is
   * @param before what the caches of the session's nodes have done before it
   */
  public void begin(SessionController controller, CacheTraffic before) {
    cachesBefore = before;
    StatusWriter status =
        new StatusWriter(
            now -> staging.writeJson(Staging.STATUS, now),
            () -> controller.progress(graph()),
            () -> controller.details(graph()),
            System::nanoTime);
    SteeringInbox wishes =
        new SteeringInbox(staging, (wish, steering) -> controller.steer(graph(), wish, steering));
    IntermediateFileDeleter tidier =
        new IntermediateFileDeleter(
            new HdfsRunFiles(around.fs(), orders::path, new DataNodeProbe(), this::note),
            new HdfsFileDeletion(around.fs()),
            orders::path,
            this::note);
    ProvenanceReporter courier =
        ProvenanceReporter.start(
                conf,
                around.fs(),
                new ProvenanceReporter.Subject(
                    id.toString(), RunOutline.of(plan), recorder.started(), recorder::attempts),
                this::note)
            .orElse(null);
    synchronized (this) {
      earlyNotes.forEach(status::note);
      live = new Live(status, wishes, tidier, courier);
    }
  }

  /**
   * Begins to write the run's status and to look for steering: to be called when the dispatcher has
   * the graph, or is told of it before anything else.
   *
   * @param rounds calls what is due now and then
   */
  public void follow(PeriodicTasks rounds) {
    Live now = living();
    now.status().start(rounds.hdfs());
    // Somebody may have paused or cancelled the run before there was anybody to tell.
    now.wishes().look();
    now.wishes().start(rounds.hdfs());
  }

  /** Looks after its files; only while the run goes on. */
  RunFiles keeper() {
    return living().tidier();
  }

  private Live living() {
    Live now = live;
    if (now == null) {
      throw new IllegalStateException("The run " + id + " has not begun");
    }
    return now;
  }

  /** Leaves an answer for whoever steers the run. Blocks. */
  void answer(String wish, SteeringAnswer answer) {
    SteeringInbox.answer(staging, wish, answer);
  }

  /** The dispatcher has ended the graph: with a failure, or with nothing when it succeeded. */
  public void ended(Optional<RunFailure> failure) {
    outcome.complete(failure);
  }

  /** The last status is written; what comes later is not seen any more. */
  public void finishStatus() {
    living().status().finish();
  }

  /** What the caches of nodes have done since the run began: for it, and for others beside it. */
  public CacheTraffic cachesSince(CacheTraffic now) {
    return now.since(cachesBefore);
  }

  /** Ends the deletion of intermediate files, in bounded time. */
  public DeletedFiles finishDeletion() {
    return living().tidier().finish(DELETION_MILLIS);
  }

  /**
   * Writes the run's record and says to all that care that it has ended. Blocks.
   *
   * @param services what ends with it
   * @param failure why it has not succeeded; null when it has
   * @throws IOException when YARN does not take the end, or another ApplicationMaster has taken the
   *     place of this one
   */
  public void finish(RunClosing.Services services, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    Live now = live;
    ProvenanceReporter courier = now == null ? null : now.courier();
    RunClosing.End end = new RunClosing.End(recorder, failure, earlier, courier);
    new RunClosing(around.fs(), staging, plan, attempt(), around.steady()).close(services, end);
    closed.complete(end.state());
  }

  /**
   * Lets go of what the run holds outside HDFS; its hints go unless they were left. Files that are
   * to be deleted stay. Blocks.
   */
  @Override
  public void close() {
    Live now = live;
    if (now != null) {
      now.wishes().close();
      now.tidier().close();
      if (now.courier() != null) {
        now.courier().close();
      }
    }
    hints.close();
  }

  /**
   * The hints of the run, which its workers find in its directory; none when that fails, for they
   * are advice.
   */
  private List<Rule> inferredRules() {
    if (!isHinted()) {
      return List.of();
    }
    try {
      // Without memory to pin files in: workers keep what is read again on their node themselves.
      ClusterShape shape =
          new ClusterShape(
                  Math.max(1, plan.racks().size()),
                  Math.max(1, conf.getInt("dfs.replication", 3)),
                  Math.max(0, around.fs().getStatus().getRemaining()))
              .with(
                  new FetchModel(
                      LinkSpeed.of(conf), plan.workers().intake().cacheMegabytes() != 0));
      List<InferredHint> inferred =
          HintInference.infer(
              plan.workflow(),
              plan.dataDir(),
              shape,
              new RetentionPolicy(plan.choices().keep()).named());
      inferred.forEach(hint -> LOG.info("Hint {}: {}", hint.rule(), hint.reason()));
      List<Rule> found = inferred.stream().map(InferredHint::rule).toList();
      HintSet set = new HintSet(id.toString(), plan.user(), null, found);
      byte[] json = HintCodec.toJson(set).getBytes(StandardCharsets.UTF_8);
      staging.write(Staging.HINTS, out -> out.write(json));
      return found;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}{}", HintPublisher.WITHOUT, e.getMessage(), e);
      return List.of();
    }
  }

  /** Whether the cluster has a place for hints, without which its NameNode follows none. */
  private boolean isHinted() {
    return !conf.getTrimmed(HintSettings.QUORUM_KEY, "").isEmpty()
        || !conf.getTrimmed(ClientSettings.URL_KEY, "").isEmpty();
  }
}
