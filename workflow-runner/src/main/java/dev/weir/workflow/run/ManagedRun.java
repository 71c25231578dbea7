package dev.weir.workflow.run;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.Rule;
import dev.weir.hints.StoreAccess;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.index.HintIndex;
import dev.weir.workflow.concurrent.PeriodicTasks;
import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.delivery.ProvenanceReporter;
import dev.weir.workflow.delivery.RunNotice;
import dev.weir.workflow.delivery.RunOutline;
import dev.weir.workflow.delivery.Webhook;
import dev.weir.workflow.hdfs.DataListing;
import dev.weir.workflow.hdfs.DataNodeProbe;
import dev.weir.workflow.hdfs.EncryptionZones;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.htmlreport.ReportRun;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.record.DeletedFiles;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.FilesFound;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.transfer.InputLostException;
import dev.weir.workflow.yarn.ApplicationRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of a session: its plan, directory, hints, record, status and steering. All runs of a
 * session share its workers and dispatcher. Thread-safe.
 */
public final class ManagedRun implements RecordListener, AutoCloseable {

  /** Time limit for the deletion of intermediate files after the end of a run. */
  private static final long DELETION_MILLIS = 30_000;

  private static final Logger LOG = LoggerFactory.getLogger(ManagedRun.class);

  private final SessionContext sessionContext;
  private final ApplicationId id;
  private final Staging staging;
  private final YarnConfiguration conf;
  private final RunHints hints;
  private final HintIndex hintIndex;
  private final RunRecorder recorder;
  private final EarlierRuns earlier;
  private final CompletableFuture<Optional<RunFailure>> outcome = new CompletableFuture<>();
  private final CompletableFuture<RunState> closed = new CompletableFuture<>();
  private final AtomicBoolean ending = new AtomicBoolean();

  /** Notes from before the run has begun. */
  private final List<String> earlyNotes = new ArrayList<>();

  /** Additions that the dispatcher has not decided, by the owner's request. */
  private final Map<String, Addition> additions = new ConcurrentHashMap<>();

  /** The numbers of tasks that were added, by the owner's request. */
  private final Map<String, Integer> added = new ConcurrentHashMap<>();

  /** With the tasks that were added. */
  private volatile RunPlan plan;

  private volatile RunOrders orders;
  private volatile @Nullable Live live;
  private volatile Webhook.@Nullable Delivery delivery;
  private volatile CacheTraffic cachesBefore = CacheTraffic.NONE;

  /**
   * What all runs of a session share.
   *
   * @param conf how to reach the cluster; not changed
   * @param attempt of the session's ApplicationMaster
   * @param racks the rack of each node that ran when the session was submitted, by host name
   * @param clock wall clock, for times that other machines compare with theirs
   * @param steady monotonic clock, for the dispatcher and the record
   * @param searchTimeout time limit of the search for results of earlier runs
   */
  public record SessionContext(
      YarnConfiguration conf,
      DistributedFileSystem fs,
      ApplicationAttemptId attempt,
      Map<String, String> racks,
      Clock clock,
      Clock steady,
      Duration searchTimeout) {

    /** Returns a copy with another time limit of the search for results. */
    public SessionContext within(Duration search) {
      return new SessionContext(conf, fs, attempt, racks, clock, steady, search);
    }
  }

  /** A valid addition of tasks. */
  private record Addition(int tasks, RunPlan plan, RunOrders orders, RunOutline outline) {}

  /** The parts of a run that has begun. */
  private record Live(
      StatusWriter status,
      SteeringInbox steering,
      AdditionRequests additions,
      IntermediateFileDeleter deleter,
      @Nullable ProvenanceReporter provenanceReporter) {}

  private ManagedRun(
      SessionContext sessionContext, ApplicationId id, Staging staging, RunPlan plan) {
    this.sessionContext = sessionContext;
    this.id = id;
    this.staging = staging;
    this.plan = plan;
    this.conf = new YarnConfiguration(sessionContext.conf());
    plan.settings().forEach(conf::set);
    List<Rule> rules = plan.mode() == Mode.WEIR ? inferredRules() : List.of();
    HintSet inferred = new HintSet(id.toString(), plan.user(), null, rules);
    this.hints =
        new RunHints(
            notes ->
                plan.mode() == Mode.WEIR
                    ? RunHints.publisher(conf, sessionContext.fs().getUri(), notes)
                    : Optional.empty(),
            inferred,
            sessionContext.clock());
    this.hintIndex = HintIndex.of(List.of(inferred));
    this.orders = orders(plan);
    this.recorder = new RunRecorder(sessionContext.steady().millis(), task -> orders.task(task));
    this.earlier =
        new EarlierRuns(
            plan,
            RunDirectories.containing(staging),
            id,
            EarlierRuns.Limits.within(sessionContext.searchTimeout()),
            sessionContext.steady());
  }

  /** Reads a run's plan, and infers its hints. Blocks. */
  public static ManagedRun open(SessionContext sessionContext, ApplicationId id, Staging staging)
      throws IOException {
    return of(sessionContext, id, staging, staging.readJson(Staging.PLAN, RunPlan.class));
  }

  /** Infers the hints of a run whose plan was read. Blocks. */
  public static ManagedRun of(
      SessionContext sessionContext, ApplicationId id, Staging staging, RunPlan plan) {
    return new ManagedRun(sessionContext, id, staging, plan.on(sessionContext.racks()));
  }

  /** Returns the attempts that have ended so far, for the page of a live run. */
  public ReportRun reportSoFar(long nowMillis) {
    return new ReportRun(
        recorder.build(
            new RunRecorder.Name(id.toString(), plan.workflow().name(), plan.mode().label()),
            RunState.RUNNING,
            nowMillis),
        PlanDetails.of(plan, hintIndex));
  }

  /**
   * Returns the attempt id in labels and temporary file names. It has the run's id, not the
   * session's, so that a later cleanup of the run recognises the files.
   */
  private ApplicationAttemptId attempt() {
    return ApplicationAttemptId.newInstance(id, sessionContext.attempt().getAttemptId());
  }

  private RunOrders orders(RunPlan of) {
    return new RunOrders(id.toString(), of, AttemptLabels.master(attempt()), this::hint);
  }

  /** Returns the hint of a file as JSON; empty for none, or while the NameNode follows none. */
  private String hint(String path) {
    return hints.inForce()
        ? hintIndex.lookup(path).map(match -> HintCodec.hintToJson(match.hint())).orElse("")
        : "";
  }

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

  /** Completes when the dispatcher has ended the graph. */
  public CompletableFuture<Optional<RunFailure>> outcome() {
    return outcome;
  }

  /** Completes when the run's record is written, with how it ended. */
  public CompletableFuture<RunState> closed() {
    return closed.copy();
  }

  /** Claims the end of the run. Returns true for the first caller only, which writes the record. */
  public boolean claimEnd() {
    return ending.compareAndSet(false, true);
  }

  /** The run's record was written by an earlier application attempt. */
  public void endedBefore(RunState state) {
    closed.complete(state);
  }

  /** The run's record will not be written. */
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
   * Builds the graph for the dispatcher: the workflow, its task profiles and input locations.
   * Blocks.
   */
  public Graph dispatched() throws IOException {
    Integer priority = ApplicationRequest.of(plan.settings()).priority();
    return new Graph(
        graph(),
        plan.workflow(),
        plan.choices().keepGoing() ? Limits.DEFAULT.withKeepGoing() : Limits.DEFAULT,
        priority == null ? 0 : priority,
        plan.choices().speculation(),
        taskProfiles(),
        temporaries(),
        IntermediateFiles.wanted(
            plan.workflow(), new RetentionPolicy(plan.choices().keep()).named()),
        InputLocations.find(sessionContext.fs(), plan),
        onNodes());
  }

  private Set<String> onNodes() throws IOException {
    IntermediateStore store = plan.choices().intermediate();
    if (plan.mode() != Mode.WEIR || store == IntermediateStore.HDFS) {
      return Set.of();
    }
    Set<String> files = IntermediateFiles.readWhole(plan.workflow());
    return store == IntermediateStore.AUTO && mayBeEncrypted(files) ? Set.of() : files;
  }

  private boolean mayBeEncrypted(Set<String> files) throws IOException {
    return EncryptionZones.mayContain(
        sessionContext.fs(), files.stream().map(plan::path).collect(Collectors.toSet()));
  }

  /** Returns the profiles from earlier runs; none when the tasks only simulate others. */
  private TaskProfiles taskProfiles() {
    if (plan.standIn()) {
      return TaskProfiles.NONE;
    }
    TaskProfiles known = new TaskProfileStore(RunDirectories.containing(staging)).read();
    return plan.choices().ignoreNeeds() ? known.withoutNeeds() : known;
  }

  private Set<String> temporaries() {
    return IntermediateFiles.of(
        plan.workflow(), new RetentionPolicy(plan.choices().keep()).files(plan.mode()));
  }

  /**
   * Finds reusable tasks and existing files; existing files are never deleted. The records have the
   * workflow's ids. Blocks.
   */
  public List<DispatchRecord> foundBefore() throws InterruptedException {
    List<DispatchRecord> found = new ArrayList<>();
    filesBefore().ifPresent(found::add);
    found.addAll(earlier.takeOver());
    earlier.notes().forEach(this::note);
    return found;
  }

  /** Finds the existing files, which belong to the user and are never deleted. Blocks. */
  public Optional<FilesFound> filesBefore() {
    Set<String> temporaries = temporaries();
    return temporaries.isEmpty()
        ? Optional.empty()
        : Optional.of(new FilesFound(existing(sessionContext.fs(), plan, temporaries)));
  }

  /** Returns which files exist; all of them when HDFS cannot be read. */
  static List<String> existing(DistributedFileSystem fs, RunPlan plan, Collection<String> ids) {
    try {
      List<String> found = new ArrayList<>();
      DataListing.<FileStatus>search(
          plan, new HashSet<>(ids), fs::listStatusIterator, (id, status) -> found.add(id));
      return found;
    } catch (IOException e) {
      LOG.warn("Cannot list {}: nothing is deleted", plan.dataDir(), e);
      return List.copyOf(ids);
    }
  }

  /** Whether an output of a task without parents has a hint. */
  public boolean firstTasksHaveHints() {
    WorkflowGraph graph = plan.workflow().graph();
    for (Task task : plan.workflow().tasks()) {
      if (graph.parents(task.id()).isEmpty()
          && task.outputs().stream()
              .anyMatch(output -> hintIndex.lookup(plan.path(output)).isPresent())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads tasks that the owner adds, prepares the larger plan, and locates their inputs. To be
   * called when the dispatcher has decided the addition before. Blocks.
   *
   * @param file name of the file with the tasks, as the client gave it
   * @throws InvalidWorkflowException when the plan cannot have them
   */
  public Graph added(String request, String file) throws IOException {
    AddedTasks read = AddedTasks.read(staging, file);
    Workflow workflow = read.workflow();
    RunPlan larger = read.addTo(plan);
    additions.put(
        request,
        new Addition(workflow.tasks().size(), larger, orders(larger), RunOutline.of(larger)));
    return new Graph(
        graph(),
        workflow,
        Limits.DEFAULT,
        0,
        false,
        taskProfiles(),
        Set.of(),
        Set.of(),
        InputLocations.find(sessionContext.fs(), plan.with(workflow)),
        Set.of());
  }

  /**
   * Does the same for tasks that an earlier ApplicationMaster has journalled, but may not have made
   * a part of the plan's files. Blocks.
   */
  public Graph addedBefore(String request, String file) throws IOException {
    boolean unused = AddedTasks.accept(staging, file);
    return added(request, file);
  }

  /** Adds the tasks of the sub-workflow that a task stands for. Does not block. */
  void expand(String task) {
    living().additions().expand(task);
  }

  /** Returns the path of the sub-workflow that a task stands for. */
  String subWorkflow(String task) {
    return SubWorkflow.of(orders.task(task).command())
        .map(sub -> plan.path(sub.file()))
        .orElse(task);
  }

  /**
   * Reads the sub-workflow that a task stands for, and writes its tasks as those of a request.
   * Blocks.
   *
   * @return name of the file
   * @throws WorkflowException when the sub-workflow is invalid or has too many tasks
   * @throws InputLostException when HDFS has lost its file
   */
  String writeSubWorkflow(String task) throws IOException {
    int most = conf.getInt(RunPlan.MAX_ADDED_KEY, RunPlan.MAX_ADDED);
    int before =
        added.entrySet().stream()
            .filter(entry -> GraphGrown.expandedBy(entry.getKey()).isPresent())
            .mapToInt(Map.Entry::getValue)
            .sum();
    return new SubWorkflowReader(sessionContext.fs(), plan, most - before)
        .read(orders.task(task))
        .write(staging, sessionContext.clock());
  }

  /**
   * Finds what earlier runs have done of the tasks of a sub-workflow, and of those after them, if
   * this run has reused tasks. Blocks.
   */
  List<TakenOver> doneBefore(String request) throws InterruptedException {
    Addition addition = additions.get(request);
    if (addition == null
        || GraphGrown.expandedBy(request).isEmpty()
        || recorder.takenOver().isEmpty()) {
      return List.of();
    }
    return earlier.takeOver(addition.plan());
  }

  /** The dispatcher has added tasks. Their orders follow. */
  private void grow(GraphGrown record) {
    Addition addition = additions.remove(record.request());
    if (addition == null) {
      throw new IllegalStateException("The added tasks were not read: " + record);
    }
    added.put(record.request(), addition.tasks());
    plan = addition.plan();
    orders = addition.orders();
    Live now = live;
    if (now != null && now.provenanceReporter() != null) {
      now.provenanceReporter().grow(addition.outline());
    }
  }

  /**
   * Returns the attempts that ran by the last status of an earlier application attempt. The journal
   * has no starts, and the status is up to a second old. Blocks.
   *
   * @return some of them; none if the status cannot be read
   */
  public List<Progress.Running> runningBefore() {
    try {
      return staging.readJson(Staging.STATUS, RunProgress.class).details().running();
    } catch (IOException e) {
      LOG.info("The attempts that ran before are unknown: {}", e.toString());
      return List.of();
    }
  }

  /** Replays a record of an earlier application attempt, with the workflow's ids. */
  public void replay(DispatchRecord record) {
    if (record instanceof GraphGrown grown) {
      grow(grown);
    }
    recorder.replay(record);
  }

  @Override
  public void record(DispatchRecord record) {
    if (record instanceof GraphGrown grown) {
      grow(grown);
    }
    recorder.record(record);
  }

  @Override
  public void workerJoined(WorkerInfo worker, long now) {
    recorder.workerJoined(worker, now);
  }

  @Override
  public void workerEnded(String worker, long now) {
    recorder.workerEnded(worker, now);
  }

  /** Adds a note for the user to the run's status. */
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
   * Begins to manage the run's files and to report provenance. To be called before the dispatcher
   * starts any task of the run.
   *
   * @param controller steers the graph and returns its progress
   * @param taker takes a run, by its id, that the owner of this one adds to the session. Does not
   *     block. The answer for the client counts no task if the run is refused; it fails when it is
   *     not known whether the run was taken
   * @param threads for blocking work; unbounded
   */
  public void begin(
      SessionController controller,
      Function<String, CompletableFuture<SteeringAnswer>> taker,
      Executor threads,
      CacheTraffic before) {
    cachesBefore = before;
    StatusWriter status =
        new StatusWriter(
            now -> staging.writeJson(Staging.STATUS, now),
            () -> controller.progress(graph()),
            () -> controller.details(graph()),
            System::nanoTime);
    AdditionRequests requests = new AdditionRequests(staging, controller, threads, this);
    SteeringInbox steering =
        new SteeringInbox(
            staging,
            (request, action) -> {
              switch (action.action()) {
                case ADD_TASKS -> requests.add(request, action.tasks());
                case TAKE_RUN -> takeRun(request, action.tasks(), taker);
                case SHOW_LOG -> controller.steer(graph(), request, action);
                default ->
                    requests.runAfterEarlier(() -> controller.steer(graph(), request, action));
              }
            });
    IntermediateFileDeleter deleter =
        new IntermediateFileDeleter(
            new HdfsRunFiles(sessionContext.fs(), orders::path, new DataNodeProbe(), this::note),
            new HdfsFileDeletion(sessionContext.fs()),
            orders::path,
            this::note,
            IntermediateFileDeleter.RETRY_INTERVAL);
    ProvenanceReporter provenanceReporter =
        ProvenanceReporter.start(
                conf,
                sessionContext.fs(),
                new ProvenanceReporter.Subject(
                    id.toString(), RunOutline.of(plan), recorder.started(), recorder::attempts),
                this::note)
            .orElse(null);
    synchronized (this) {
      earlyNotes.forEach(status::note);
      live = new Live(status, steering, requests, deleter, provenanceReporter);
    }
  }

  private void takeRun(
      String request, String run, Function<String, CompletableFuture<SteeringAnswer>> taker) {
    var unused =
        taker
            .apply(run)
            .thenAccept(answer -> answer(request, answer))
            .exceptionally(
                failure -> {
                  LOG.warn("The run {} may not have been taken", run, failure);
                  return null;
                });
  }

  /** Returns the number of tasks that a request has added; empty when it has added none. */
  OptionalInt addedBy(String request) {
    Integer tasks = added.get(request);
    return tasks == null ? OptionalInt.empty() : OptionalInt.of(tasks);
  }

  /** Forgets the tasks of a refused request. */
  void forgetAddition(String request) {
    additions.remove(request);
  }

  /**
   * Begins to write the run's status and to poll for steering requests. To be called when the graph
   * is added, or its addition is the next event.
   */
  public void follow(PeriodicTasks rounds) {
    Live now = living();
    now.status().start(rounds.hdfs());
    // The user may have paused or cancelled the run before it began.
    now.steering().poll();
    now.steering().start(rounds.hdfs());
  }

  /** Returns the run's files; only for a live run. */
  RunFiles files() {
    return living().deleter();
  }

  private Live living() {
    Live now = live;
    if (now == null) {
      throw new IllegalStateException("The run " + id + " has not begun");
    }
    return now;
  }

  /** Writes the answer to a steering request. Blocks. */
  void answer(String request, SteeringAnswer answer) {
    Live now = live;
    if (now == null || !now.additions().decided(request, answer)) {
      SteeringInbox.answer(staging, request, answer);
    }
  }

  /** The dispatcher has ended the graph; the failure is empty when it succeeded. */
  public void ended(Optional<RunFailure> failure) {
    outcome.complete(failure);
  }

  /** Writes the last status; later changes are ignored. */
  public void finishStatus() {
    living().status().finish();
  }

  /** Returns the cache traffic since the run began, including that of concurrent runs. */
  public CacheTraffic cachesSince(CacheTraffic now) {
    return now.since(cachesBefore);
  }

  /** Finishes the deletion of intermediate files, in bounded time. */
  public DeletedFiles finishDeletion() {
    return living().deleter().finish(DELETION_MILLIS);
  }

  /**
   * Writes the run's record and reports its end to YARN and the hints service. Blocks.
   *
   * @param failure why it has not succeeded; null when it has
   * @throws IOException when YARN rejects the end, or another ApplicationMaster has replaced this
   *     one
   */
  public void finish(RunClosing.Services services, @Nullable RunFailure failure)
      throws IOException, InterruptedException {
    Live now = live;
    ProvenanceReporter provenanceReporter = now == null ? null : now.provenanceReporter();
    RunClosing.End end =
        new RunClosing.End(recorder, failure, earlier, provenanceReporter, this::tell);
    boolean unused =
        new RunClosing(sessionContext.fs(), staging, plan, attempt(), sessionContext.steady())
            .close(services, end);
    closed.complete(end.state());
    if (now != null) {
      now.additions().end();
    }
  }

  /** Only the run with which a session began has a webhook. */
  private void tell(RunNotice notice) {
    if (!id.equals(sessionContext.attempt().getApplicationId())) {
      return;
    }
    try {
      Webhook.of(UserGroupInformation.getCurrentUser().getCredentials())
          .ifPresent(webhook -> delivery = webhook.post(notice));
    } catch (IOException | RuntimeException e) {
      LOG.warn("The webhook of the run cannot be read ({})", e.getClass().getSimpleName());
    }
  }

  /** Waits for the notice of the end, for a bounded time. */
  private void awaitDelivery() {
    Webhook.Delivery begun = delivery;
    if (begun == null) {
      return;
    }
    try {
      Optional<String> unused = begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Releases the run's resources outside HDFS. Its hints are removed unless {@link RunHints#leave}
   * was called. Pending deletions are dropped. Blocks.
   */
  @Override
  public void close() {
    Live now = live;
    if (now != null) {
      now.steering().close();
      now.deleter().close();
      if (now.provenanceReporter() != null) {
        now.provenanceReporter().close();
      }
    }
    hints.close();
    awaitDelivery();
  }

  /**
   * Infers the hints and writes them to the run's directory for its workers. Returns none on
   * failure: hints are advice.
   */
  private List<Rule> inferredRules() {
    if (!isHinted()) {
      return List.of();
    }
    try {
      FetchModel fetching = plan.workers().intake().fetching(LinkSpeed.of(conf));
      // Without memory for pinned files: the node caches keep files that are read again.
      ClusterShape shape =
          new ClusterShape(
              Math.max(1, plan.racks().size()),
              Math.max(1, conf.getInt("dfs.replication", 3)),
              Math.max(0, sessionContext.fs().getStatus().getRemaining()),
              0,
              fetching.withFilesOnNodes(!onNodes().isEmpty()));
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

  /** Whether the run can publish hints. */
  private boolean isHinted() {
    return (!conf.getTrimmed(HintSettings.QUORUM_KEY, "").isEmpty()
            && conf.getBoolean(StoreAccess.OPEN_KEY, false))
        || !conf.getTrimmed(ClientSettings.URL_KEY, "").isEmpty();
  }
}
