package dev.weir.workflow.session;

import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.Rule;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.hdfs.PresentFiles;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.reuse.CommandContext;
import dev.weir.workflow.reuse.DoneRunBuilder;
import dev.weir.workflow.reuse.PresentFile;
import dev.weir.workflow.run.IncastGroups;
import dev.weir.workflow.run.RunClosing;
import dev.weir.workflow.run.RunOrders;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.AssignmentPolicy;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Effect;
import dev.weir.workflow.scheduler.Graph;
import dev.weir.workflow.scheduler.Limits;
import dev.weir.workflow.scheduler.Step;
import dev.weir.workflow.scheduler.TaskProfiles;
import dev.weir.workflow.scheduler.WorkerInfo;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.NullMarked;

/**
 * The heap that an ApplicationMaster needs. It creates the parts of an ApplicationMaster in the
 * usual order, with workers that finish each task at once, and prints the heap after a full
 * collection after each step. YARN, HDFS, the workers' connections, the hints service and the
 * status are left out. The class is in the package that it measures, because that is
 * package-private. Run it with {@code benchmarks/run master}.
 */
@NullMarked
public final class MasterMemoryBenchmark {
  private static final String RUN = "application_1_0001";
  private static final int MAX_UNWRITTEN = 1_000;
  private static final int RACKS = 10;
  private static final double MEBI = 1 << 20;
  private static final long CRC = 0xCAFE_F00DL;

  private final PlannedFiles fs;
  private final FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
  private final org.apache.hadoop.fs.Path journals;
  private final Staging staging;
  private final Map<String, Effect.Start> started = new LinkedHashMap<>();
  private long now = 1;
  private boolean finished;

  private MasterMemoryBenchmark(Path plan, Path journals, int nodes) throws IOException {
    this.fs = new PlannedFiles(plan, nodes);
    this.journals = new org.apache.hadoop.fs.Path(journals.toUri());
    this.staging = new Staging(fs, new org.apache.hadoop.fs.Path("/staging"));
  }

  /** The parts that a master builds from its plan. */
  private record Master(
      RunPlan plan,
      RunOrders orders,
      RunRecorder recorder,
      Dispatcher dispatcher,
      Journal journal) {}

  /**
   * Runs a plan in memory.
   *
   * @param args the plan, a directory for the journal, and the number of nodes; an existing journal
   *     is that of an earlier ApplicationMaster, which this one continues
   */
  public static void main(String[] args) throws Exception {
    Path journals = Files.createDirectories(Path.of(args[1]));
    new MasterMemoryBenchmark(Path.of(args[0]), journals, Integer.parseInt(args[2])).run();
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    System.out.println("| the ApplicationMaster | heap, MB | resident, MB |");
    System.out.println("|---|---|---|");
    printHeap("has started");
    RunPlan plan = staging.readJson(Staging.PLAN, RunPlan.class);
    Set<String> outputs = new HashSet<>();
    plan.workflow().tasks().forEach(task -> outputs.addAll(task.outputs()));
    fs.setPresent(plan, id -> !outputs.contains(id));
    printHeap("has read its plan");
    List<Rule> rules = rules(plan);
    RunOrders orders = new RunOrders("", plan, "a", IncastGroups.of(rules, () -> true));
    RunRecorder recorder = new RunRecorder(now, orders::task);
    Dispatcher dispatcher = dispatcher(plan);
    printHeap("has inferred hints and built the dispatcher");
    Deque<DispatchRecord> pending = new ArrayDeque<>(Journal.read(local, journals));
    int attempt = pending.isEmpty() ? 1 : 2;
    InputLocations.find(fs, plan).forEach(dispatcher::locate);
    printHeap("has located the inputs");
    while (!pending.isEmpty()) {
      DispatchRecord record = pending.remove();
      dispatcher.replay(record);
      recorder.replay(record);
    }
    printHeap("has replayed the journal");
    try (Journal journal = new Journal(local, journals, attempt)) {
      journal.start();
      Master master = new Master(plan, orders, recorder, dispatcher, journal);
      runTasks(master);
      printHeap("has done all tasks");
      fs.setPresent(plan, id -> true);
      end(master);
    } finally {
      Reference.reachabilityFence(rules);
    }
    System.out.printf(Locale.ROOT, "| at most | | %s |%n", megabytes("VmHWM"));
  }

  private static List<Rule> rules(RunPlan plan) {
    List<Rule> rules =
        HintInference.infer(
                plan.workflow(),
                plan.dataDir(),
                new ClusterShape(RACKS, 3),
                new RetentionPolicy(plan.choices().keep()).named())
            .stream()
            .map(InferredHint::rule)
            .toList();
    // As it is written for the workers.
    String unused = HintCodec.toJson(new HintSet(RUN, plan.user(), null, rules));
    return rules;
  }

  private static Dispatcher dispatcher(RunPlan plan) {
    RetentionPolicy keep = new RetentionPolicy(plan.choices().keep());
    Dispatcher dispatcher =
        new Dispatcher(
            AssignmentPolicy.DATA_AWARE,
            plan.workers().size(),
            new Graph(
                "",
                plan.workflow(),
                Limits.DEFAULT,
                0,
                plan.choices().speculation(),
                TaskProfiles.NONE,
                IntermediateFiles.of(plan.workflow(), keep.files(plan.mode())),
                IntermediateFiles.wanted(plan.workflow(), keep.named()),
                List.of()));
    dispatcher.expect(plan.workers().count());
    return dispatcher;
  }

  private void runTasks(Master master)
      throws IOException, InterruptedException, ExecutionException {
    Dispatcher dispatcher = master.dispatcher();
    handle(dispatcher.start(now), master);
    for (int i = 0; i < master.plan().workers().count(); i++) {
      WorkerInfo worker = new WorkerInfo("w" + i, PlannedFiles.host(i), "/rack-" + i % RACKS);
      master.recorder().workerJoined(worker, now);
      handle(dispatcher.workerJoined(worker, now), master);
    }
    int half = master.plan().workflow().tasks().size() / 2;
    int reports = 0;
    while (!finished) {
      Effect.Start next = started.values().iterator().next();
      started.remove(next.task());
      now += 10;
      TaskReport report = succeeded(master.orders(), next);
      handle(dispatcher.reported(next.worker(), master.orders().accept(report), now), master);
      reports++;
      if (reports % MAX_UNWRITTEN == 0) {
        // Real workers are slower than the journal.
        master.journal().written().get();
      }
      if (reports == half) {
        printHeap("has done half of the tasks");
      }
    }
    master.journal().written().get();
  }

  private void handle(Step step, Master master) {
    master.journal().append(step.records());
    step.records().forEach(master.recorder()::record);
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Start start) {
        TaskOrder unused = master.orders().order(start);
        started.put(start.task(), start);
      } else if (effect instanceof Effect.Recall recall) {
        recall(recall, master);
      } else if (effect instanceof Effect.Check) {
        handle(master.dispatcher().checked("", List.of(), now), master);
      } else if (effect instanceof Effect.Succeeded) {
        finished = true;
      } else {
        throw new IllegalStateException("unexpected failure: " + effect);
      }
    }
  }

  private void recall(Effect.Recall recall, Master master) {
    if (started.remove(recall.task()) != null) {
      TaskReport report = TaskReport.recalled(recall.task(), recall.attempt());
      handle(master.dispatcher().reported(recall.worker(), report, now), master);
    }
  }

  /** Creates new strings, as a received message would. */
  private TaskReport succeeded(RunOrders orders, Effect.Start start) {
    List<ReadFile> inputs = new ArrayList<>();
    for (String input : orders.task(start.task()).inputs()) {
      inputs.add(new ReadFile(copyOf(input), fs.bytes(input), CRC));
    }
    List<StoredFile> outputs = new ArrayList<>();
    for (String output : start.outputs()) {
      outputs.add(
          new StoredFile(
              copyOf(output), fs.bytes(output), fs.bytesByHost(output), CRC, List.of(), now));
    }
    return new TaskReport(
        copyOf(start.task()),
        start.attempt(),
        Result.SUCCEEDED,
        0,
        "",
        "",
        List.of(),
        outputs,
        new Usage(25, 35, 5_000, 45, 1_000_000, 1_000_000, 1_000_000, 2_000_000),
        inputs,
        new ResourceUse(4_321, 123_456_789));
  }

  private static String copyOf(String text) {
    return new String(text.toCharArray());
  }

  /** Does the work of {@link RunClosing}, without an output. */
  private void end(Master master) throws IOException {
    try {
      recordRun(master);
    } finally {
      Reference.reachabilityFence(master.dispatcher());
    }
  }

  private void recordRun(Master master) throws IOException {
    RunPlan plan = master.plan();
    RunRecord record =
        master
            .recorder()
            .build(
                new RunRecorder.Name(RUN, plan.workflow().name(), plan.mode().label()),
                RunState.SUCCEEDED,
                now);
    RunRecordCodec.write(record, OutputStream.nullOutputStream());
    DoneRunBuilder doneRun =
        new DoneRunBuilder(
            RUN,
            plan.dataDir(),
            plan.workflow(),
            new CommandContext(plan.environment(), Map.of()),
            plan.standIn());
    for (TaskRecord attempt : record.tasks()) {
      if (attempt.outcome() == Outcome.SUCCEEDED) {
        doneRun.succeeded(
            attempt.task(), attempt.attempt(), attempt.files().inputs(), attempt.files().outputs());
      }
    }
    Map<String, PresentFile> present = new PresentFiles(fs, plan).allWithoutHosts();
    printHeap("has listed the files of the run");
    doneRun.write(
        OutputStream.nullOutputStream(),
        file -> {
          PresentFile existing = present.get(file.file());
          return existing == null || existing.bytes() != file.bytes() ? null : existing.stamp();
        });
    TaskProfiles unused =
        TaskProfileStore.after(TaskProfiles.NONE, record.tasks(), plan.workers().cores());
  }

  private static void printHeap(String step) throws IOException {
    System.gc();
    double heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBI;
    System.out.printf(Locale.ROOT, "| %s | %.0f | %s |%n", step, heap, megabytes("VmRSS"));
  }

  /** Returns a value of {@code /proc/self/status} in megabytes. */
  private static String megabytes(String what) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(what + ":")) {
        String number = line.replaceAll("\\D", "");
        return Long.toString(Long.parseLong(number) >> 10);
      }
    }
    return "";
  }
}
