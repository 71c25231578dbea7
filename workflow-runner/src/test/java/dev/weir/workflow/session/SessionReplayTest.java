package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.controller.WorkerMessage;
import dev.weir.workflow.jobserver.JobFileUses;
import dev.weir.workflow.jobserver.JobOrders;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.FilesFound;
import dev.weir.workflow.scheduler.api.DispatchRecord.TakenOver;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs of a session whose tasks have the same ids, before and after its ApplicationMaster restarts.
 */
class SessionReplayTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final ApplicationId SESSION = ApplicationId.newInstance(7, 1);
  private static final ApplicationId FIRST = ApplicationId.newInstance(7, 2);
  private static final ApplicationId SECOND = ApplicationId.newInstance(7, 3);
  private static final WorkerInfo WORKER = new WorkerInfo("w", "n", "/r");
  private static final long NOW = 5_000;

  /** The second task reads the output of the first. */
  private static final RunPlan PLAN =
      Plans.of(
          1,
          Plans.task("a", List.of(), List.of("fa")),
          Plans.task("b", List.of("fa"), List.of("fb")));

  @TempDir private java.nio.file.Path temp;

  private final MutableClock clock = new MutableClock(Instant.ofEpochMilli(NOW));

  private final List<String> givenUp = new ArrayList<>();

  /** Runs whose directories exist. */
  private final Map<String, ApplicationId> existing = new ConcurrentHashMap<>();

  @BeforeEach
  void make() throws IOException {
    for (ApplicationId run : List.of(FIRST, SECOND)) {
      HDFS.fs().delete(staging(run).directory(), true);
      HDFS.fs().mkdirs(staging(run).directory());
      staging(run).writeJson(Staging.PLAN, PLAN);
      existing.put(run.toString(), run);
    }
  }

  private static Staging staging(ApplicationId run) {
    return new Staging(HDFS.fs(), new Path("/runs/" + run));
  }

  /** The state of an ApplicationMaster of the session. */
  private final class Master {
    final JobRegistry jobs = new JobRegistry(10, (job, ended) -> {});
    final Dispatcher dispatcher =
        Dispatchers.of(AssignmentPolicy.FIFO, Limits.DEFAULT, new WorkerSize(4, Long.MAX_VALUE, 0));
    final ManagedRuns runs;
    final SessionReplay replay;
    final List<DispatchRecord> journal = new ArrayList<>();
    final int attempt;

    Master(int attempt) {
      this.attempt = attempt;
      runs =
          new ManagedRuns(
              new JobOrders(jobs, "x.1-" + attempt, new JobFileUses(1), clock),
              jobs,
              new TestRun.Files());
      replay =
          new SessionReplay(dispatcher, jobs, runs, this::open, (run, why) -> givenUp.add(run));
    }

    Optional<ManagedRun> open(String graph) throws IOException {
      ApplicationId run = existing.get(graph);
      return run == null
          ? Optional.empty()
          : Optional.of(
              ManagedRun.open(
                  new ManagedRun.SessionContext(
                      new YarnConfiguration(HDFS.fs().getConf()),
                      HDFS.fs(),
                      ApplicationAttemptId.newInstance(SESSION, attempt),
                      Map.of("n", "/r"),
                      clock,
                      clock,
                      Duration.ofSeconds(30)),
                  run,
                  staging(run)));
    }

    void add(ApplicationId id, List<DispatchRecord> found) throws IOException {
      ManagedRun run = open(id.toString()).orElseThrow();
      runs.add(run);
      handle(dispatcher.addGraph(run.dispatched(), found, NOW));
    }

    List<TaskOrder> handle(Step step) {
      journal.addAll(step.records());
      step.records().forEach(runs::record);
      return step.effects().stream()
          .filter(Effect.Start.class::isInstance)
          .map(effect -> runs.order((Effect.Start) effect))
          .toList();
    }

    List<TaskOrder> report(TaskOrder order) {
      List<StoredFile> stored =
          order.outputs().stream()
              .map(slot -> new StoredFile(slot.name(), 3, Map.of("n", 3L)))
              .toList();
      return report(order, stored);
    }

    List<TaskOrder> report(TaskOrder order, List<StoredFile> stored) {
      TaskReport report =
          new TaskReport(
              order.task(),
              order.attempt(),
              Result.SUCCEEDED,
              0,
              "",
              "",
              List.of(),
              stored,
              new TaskReport.Usage(1, 2, 3, 4, 5, 6, 7, 8));
      return handle(dispatcher.reported(WORKER.id(), runs.accept(report), NOW));
    }

    /** Returns the directory of a run whose end is being written. */
    RunRecord record(ApplicationId id) throws Exception {
      ManagedRun run = runs.find(id.toString()).orElseThrow();
      run.finish(new RecordingClosingServices(), RunFailure.ofRun("ended by the test", ""));
      java.nio.file.Path copy = temp.resolve(id + ".json");
      HDFS.fs().copyToLocalFile(staging(id).file(Staging.RECORD), new Path(copy.toUri()));
      return RunRecordCodec.read(copy);
    }

    /** The attempt ends with a failure that printed much. */
    List<TaskOrder> fail(TaskOrder order) {
      TaskReport report =
          new TaskReport(
              order.task(),
              order.attempt(),
              Result.FAILED,
              1,
              "the command exited with 1",
              "no luck\n" + "x".repeat(4_000),
              List.of(),
              List.of(),
              new TaskReport.Usage(1, 2, 3, 4, 5, 6, 7, 8));
      return handle(dispatcher.reported(WORKER.id(), runs.accept(report), NOW));
    }

    Master next() {
      return next(lines());
    }

    Master next(List<Journal.Line> lines) {
      Master next = new Master(attempt + 1);
      lines.forEach(next.replay::replay);
      next.replay.finish(attempt + 1);
      return next;
    }

    List<Journal.Line> lines() {
      List<Journal.Line> lines = new ArrayList<>();
      for (DispatchRecord record : journal) {
        lines.add(new Journal.Line(attempt, lines.size() + 1L, record));
      }
      return lines;
    }

    /** The journal after a compaction. */
    List<Journal.Line> compacted() {
      CompactionFilter filter = replay.compactionFilter();
      return lines().stream().flatMap(line -> filter.kept(line).stream()).toList();
    }
  }

  private Master begun() throws IOException {
    Master master = new Master(1);
    master.handle(master.dispatcher.start(NOW));
    master.add(FIRST, List.of());
    master.add(SECOND, List.of());
    return master;
  }

  @Test
  void eachRunRecordsItsOwnTasks() throws Exception {
    Master master = begun();
    List<TaskOrder> orders = master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    assertThat(orders)
        .extracting(TaskOrder::task)
        .containsExactlyInAnyOrder(FIRST + ":a", SECOND + ":a");
    assertThat(orders.get(0).outputs())
        .singleElement()
        .satisfies(slot -> assertThat(slot.name()).isEqualTo("fa"))
        .satisfies(slot -> assertThat(slot.path()).isEqualTo("/data/fa"));
    assertThat(orders).extracting(TaskOrder::label).doesNotHaveDuplicates();

    TaskOrder ofFirst =
        orders.stream()
            .filter(order -> order.task().startsWith(FIRST + ":"))
            .findAny()
            .orElseThrow();
    assertThat(master.report(ofFirst)).extracting(TaskOrder::task).containsExactly(FIRST + ":b");

    assertThat(master.record(FIRST).tasks())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.task()).isEqualTo("a"))
        .satisfies(attempt -> assertThat(attempt.files().outputs().get(0).file()).isEqualTo("fa"));
    assertThat(master.record(SECOND).tasks()).isEmpty();
  }

  @Test
  void nextMasterContinuesEachRun() throws Exception {
    Master master = begun();
    for (TaskOrder order : master.handle(master.dispatcher.workerJoined(WORKER, NOW))) {
      if (order.task().startsWith(FIRST + ":")) {
        master.report(order);
      }
    }

    Master next = master.next();

    assertThat(next.record(FIRST).tasks()).extracting("task").containsExactly("a");
    assertThat(next.record(SECOND).tasks()).isEmpty();
    next.handle(next.dispatcher.start(NOW));
    assertThat(next.handle(next.dispatcher.workerJoined(WORKER, NOW)))
        .extracting(TaskOrder::task)
        .containsExactlyInAnyOrder(FIRST + ":b", SECOND + ":a");
  }

  @Test
  void killForMemoryAfterTheEndOfAMasterConcernsTheTasksOfItsLastStatus() throws Exception {
    Master master = begun();
    master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    staging(FIRST)
        .writeJson(
            Staging.STATUS,
            new RunProgress(
                RunProgress.Phase.RUNNING,
                2,
                0,
                0,
                List.of("a"),
                1,
                0,
                0,
                0,
                List.of(),
                master.dispatcher.details(FIRST.toString())));

    Master next = master.next();
    next.handle(next.dispatcher.killedForMemory(WORKER.id(), "killed", NOW));

    assertThat(next.journal)
        .containsExactly(
            new DispatchRecord.MemoryExceeded(
                new WorkerInfo("w", "n", SessionServices.UNKNOWN_RACK),
                FIRST + ":a",
                true,
                "killed",
                NOW));
  }

  @Test
  void nextApplicationMasterKnowsAddedTasks() throws Exception {
    Master master = begun();
    List<TaskOrder> orders = master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    AddedTasks added =
        new AddedTasks(Plans.of(1, Plans.task("c", List.of("fa"), List.of("fc"))).workflow());
    String file = added.write(staging(FIRST), clock);
    ManagedRun run = master.runs.find(FIRST.toString()).orElseThrow();
    DispatchRecord.GraphGrown grown =
        new DispatchRecord.GraphGrown(FIRST.toString(), "request", file, NOW);
    master.handle(master.dispatcher.grow(run.added("request", file), grown, List.of()));
    assertThat(run.plan().workflow().tasks()).extracting("id").containsExactly("a", "b", "c");

    Master next = master.next();
    assertThat(next.runs.find(FIRST.toString()).orElseThrow().plan()).isEqualTo(run.plan());
    assertThat(next.dispatcher.progress(FIRST.toString()).tasks()).isEqualTo(3);
    assertThat(next.dispatcher.progress(SECOND.toString()).tasks()).isEqualTo(2);

    List<TaskOrder> after =
        orders.stream()
            .filter(order -> order.task().startsWith(FIRST + ":"))
            .flatMap(order -> master.report(order).stream())
            .toList();
    assertThat(after)
        .extracting(TaskOrder::task)
        .containsExactlyInAnyOrder(FIRST + ":b", FIRST + ":c");
    after.forEach(master::report);
    assertThat(master.record(FIRST).tasks())
        .extracting("task")
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(AddedTasks.readPlan(staging(FIRST)).workflow()).isEqualTo(run.plan().workflow());
    assertThat(staging(FIRST).readJson(Staging.SUMMARY, RunSummary.class).tasks()).isEqualTo(3);
  }

  @Test
  void runWithUnreadableAddedTasksIsGivenUp() throws Exception {
    Master master = begun();
    List<TaskOrder> orders = master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    AddedTasks added =
        new AddedTasks(Plans.of(1, Plans.task("c", List.of("fa"), List.of("fc"))).workflow());
    String file = added.write(staging(FIRST), clock);
    ManagedRun run = master.runs.find(FIRST.toString()).orElseThrow();
    DispatchRecord.GraphGrown grown =
        new DispatchRecord.GraphGrown(FIRST.toString(), "request", file, NOW);
    master.handle(master.dispatcher.grow(run.added("request", file), grown, List.of()));
    orders.forEach(master::report);
    staging(FIRST).delete(file);

    Master next = master.next();

    assertThat(givenUp).containsExactly(FIRST.toString());
    assertThat(next.runs.all()).extracting(ManagedRun::graph).containsExactly(SECOND.toString());
    next.handle(next.dispatcher.start(NOW));
    assertThat(next.handle(next.dispatcher.workerJoined(WORKER, NOW)))
        .extracting(TaskOrder::task)
        .containsExactly(SECOND + ":b");
  }

  @Test
  void addedTasksThatThePlanCannotHaveAreNotInIt() throws Exception {
    Master master = begun();
    AddedTasks clash =
        new AddedTasks(Plans.of(1, Plans.task("a", List.of(), List.of("fc"))).workflow());
    String file = clash.write(staging(FIRST), clock);
    ManagedRun run = master.runs.find(FIRST.toString()).orElseThrow();

    assertThatThrownBy(() -> run.added("1", file)).isInstanceOf(InvalidWorkflowException.class);

    assertThat(run.plan()).isEqualTo(PLAN.on(Map.of("n", "/r")));
    assertThat(AddedTasks.readPlan(staging(FIRST))).isEqualTo(PLAN);
  }

  @Test
  void runWithoutDirectoryIsSkipped() throws Exception {
    Master master = begun();
    List<TaskOrder> orders = master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    orders.forEach(master::report);
    existing.remove(FIRST.toString());

    Master next = master.next();

    assertThat(next.runs.all()).extracting(ManagedRun::graph).containsExactly(SECOND.toString());
    next.handle(next.dispatcher.start(NOW));
    assertThat(next.handle(next.dispatcher.workerJoined(WORKER, NOW)))
        .extracting(TaskOrder::task)
        .containsExactly(SECOND + ":b");
  }

  @Test
  void journalKeepsRecordsOfLiveRunsOnly() throws Exception {
    Master master = begun();
    List<TaskOrder> orders = master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    orders.forEach(master::report);
    master.runs.remove(master.runs.find(FIRST.toString()).orElseThrow());

    CompactionFilter filter = master.replay.compactionFilter();

    assertThat(master.journal)
        .filteredOn(record -> filter.kept(new Journal.Line(1, 1, record)).isPresent())
        .isNotEmpty()
        .allSatisfy(record -> assertThat(record.graph()).isEqualTo(SECOND.toString()));
  }

  @Test
  void tasksOfAnEarlierRunAreReused() throws Exception {
    Master master = new Master(1);
    master.handle(master.dispatcher.start(NOW));
    master.add(
        FIRST,
        List.of(
            new TakenOver("a", "run-0", true, List.of(new StoredFile("fa", 3, Map.of("n", 3L))))));

    assertThat(master.handle(master.dispatcher.workerJoined(WORKER, NOW)))
        .extracting(TaskOrder::task)
        .containsExactly(FIRST + ":b");
    assertThat(master.record(FIRST).reused()).extracting("task").containsExactly("a");
    assertThat(master.next().record(FIRST).reused()).extracting("task").containsExactly("a");
  }

  @Test
  void fileReadByTwoRunsIsKnownToBoth() throws Exception {
    Master master = begun();
    assertThat(master.runs.ids("/data/fa"))
        .containsExactlyInAnyOrder(FIRST + ":fa", SECOND + ":fa", "data/fa");
    assertThat(master.runs.ids("/elsewhere/fa")).containsExactly("elsewhere/fa");
  }

  @Test
  void protectedFilesAreLookedUpOnlyIfNotJournalled() throws Exception {
    staging(FIRST).writeJson(Staging.PLAN, Plans.with(PLAN, RunOptions.DEFAULT.withKeep("none")));
    Master master = new Master(1);
    master.handle(master.dispatcher.start(NOW));
    ManagedRun run = master.open(FIRST.toString()).orElseThrow();
    FilesFound none = run.filesBefore().orElseThrow();
    assertThat(none).isEqualTo(new FilesFound(List.of()));
    master.add(FIRST, List.of(none));
    assertThat(master.next().replay.recordExistingFiles()).isEmpty();

    master.journal.removeIf(FilesFound.class::isInstance);

    assertThat(master.next().replay.recordExistingFiles())
        .containsExactly(new FilesFound(FIRST.toString(), List.of()));
  }

  @Test
  void unreadableRunDoesNotBlockOthers() throws Exception {
    Master master = begun();
    List<TaskOrder> orders = master.handle(master.dispatcher.workerJoined(WORKER, NOW));
    orders.forEach(master::report);
    staging(FIRST).write(Staging.PLAN, out -> out.write("{".getBytes(StandardCharsets.UTF_8)));

    Master next = master.next();

    assertThat(givenUp).containsExactly(FIRST.toString());
    assertThat(next.runs.all()).extracting(ManagedRun::graph).containsExactly(SECOND.toString());
    next.handle(next.dispatcher.start(NOW));
    assertThat(next.handle(next.dispatcher.workerJoined(WORKER, NOW)))
        .extracting(TaskOrder::task)
        .containsExactly(SECOND + ":b");
  }

  @Test
  void eventsForFilesOfAnEndedRunAreIgnored() throws Exception {
    Master master = begun();
    ManagedRun first = master.runs.find(FIRST.toString()).orElseThrow();
    String file = FIRST + ":fa";
    assertThat(master.runs.pathIfKnown(file)).contains("/data/fa");

    master.runs.remove(first);

    assertThat(WorkerMessage.of(drop(file), master.runs)).isEmpty();
    assertThat(WorkerMessage.of(drop(SECOND + ":fa"), master.runs)).isPresent();
  }

  private static Effect drop(String file) {
    return new Effect.DropStored("w", file, NodeContent.NONE);
  }

  @Test
  void journalOfALongRunKeepsWhatIsStillNeeded() throws Exception {
    int tasks = 100;
    List<Task> many = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      many.add(Plans.task("t" + i, List.of(), List.of("f" + i)));
    }
    many.add(Plans.task("last", List.of("f0"), List.of("result")));
    staging(FIRST).writeJson(Staging.PLAN, Plans.of(1, many.toArray(Task[]::new)));
    Master master = new Master(1);
    master.handle(master.dispatcher.start(NOW));
    master.add(FIRST, List.of());
    Deque<TaskOrder> open =
        new ArrayDeque<>(master.handle(master.dispatcher.workerJoined(WORKER, NOW)));
    while (!open.isEmpty()) {
      TaskOrder order = open.remove();
      if (order.attempt() == 1) {
        open.addAll(master.fail(order));
      } else if (!order.task().endsWith(":last")) {
        open.addAll(master.report(order));
      }
    }

    List<Journal.Line> compacted = master.compacted();

    assertThat(compacted).hasSize(master.journal.size());
    assertThat(json(master.lines())).hasSizeGreaterThan(tasks * 4_000);
    assertThat(json(compacted))
        .as("about 800 bytes an attempt, and the output of the task that is not done")
        .hasSizeLessThan(2 * tasks * 900 + 6_000)
        .containsOnlyOnce("x".repeat(4_000));
    Master next = master.next(compacted);
    Master full = master.next();
    for (Master one : List.of(next, full)) {
      one.handle(one.dispatcher.start(NOW));
      assertThat(one.handle(one.dispatcher.workerJoined(WORKER, NOW)))
          .singleElement()
          .satisfies(order -> assertThat(order.task()).isEqualTo(FIRST + ":last"))
          .satisfies(order -> assertThat(order.attempt()).isEqualTo(2));
    }
    assertThat(next.dispatcher.progress(FIRST.toString()))
        .isEqualTo(full.dispatcher.progress(FIRST.toString()));
    assertThat(next.dispatcher.details(FIRST.toString()))
        .isEqualTo(full.dispatcher.details(FIRST.toString()));
    assertThat(next.record(FIRST).tasks())
        .hasSize(2 * tasks + 1)
        .usingRecursiveComparison()
        .as("but for the nodes of outputs that no task awaits")
        .ignoringFieldsMatchingRegexes(".*outputs.*nodes")
        .isEqualTo(full.record(FIRST).tasks());
  }

  private static String json(List<Journal.Line> lines) throws IOException {
    return new ObjectMapper()
        .writerFor(new TypeReference<List<Journal.Line>>() {})
        .writeValueAsString(lines);
  }
}
