package dev.weir.bench.patterns;

import dev.weir.bench.series.Setup;
import dev.weir.bench.workload.RepeatedWorkflow;
import dev.weir.bench.workload.TaskCopies;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Turns a pattern into a workflow whose tasks read and check all of their inputs and write their
 * outputs. Not thread-safe.
 */
final class PatternWorkflow {
  /** The type of tasks that download the inputs from the outside server. */
  static final String STAGE_IN = "stage-in";

  /** The type of tasks that upload the results to it. */
  static final String STAGE_OUT = "stage-out";

  /** Both types. */
  static final Set<String> STAGING = Set.of(STAGE_IN, STAGE_OUT);

  private static final WorkerWarmUp.Commands CHECKED =
      new WorkerWarmUp.Commands() {
        @Override
        public String store(String file) {
          return FileContents.print(file, 0, WorkerWarmUp.BYTES) + " > " + file;
        }

        @Override
        public String read(String file) {
          return FileContents.check(file, file, 0, WorkerWarmUp.BYTES);
        }
      };

  private static final DataFile NOTHING = new DataFile("nothing", 1);
  private static final int REUSES = 10;
  private static final int LEAST_SECONDS = 2;
  private static final int MOST_SECONDS = 6;

  /**
   * The pause between two repetitions of a run: the time that late replicas of medium files need on
   * a link.
   */
  private static final int PAUSE_SECONDS = 5;

  /** The runner gets no task durations, because stock Hadoop could not use them. */
  private static final double UNKNOWN_SECONDS = 0;

  /** The number of pieces that a slow writer writes. */
  private static final int PIECES = 20;

  private final Experiment experiment;
  private final Setup setup;
  private final PatternFileSizes sizes;
  private final String server;
  private final String prefix;
  private final Random random;
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, DataFile> files = new LinkedHashMap<>();
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();

  /**
   * Creates the workflow of an experiment in a setup.
   *
   * @param server URL, ending in a slash, of the server with the inputs and for the outputs; empty
   *     if they stay in HDFS
   */
  PatternWorkflow(Experiment experiment, Setup setup, String server) {
    this(experiment, setup, server, "");
  }

  private PatternWorkflow(Experiment experiment, Setup setup, String server, String prefix) {
    this.experiment = experiment;
    this.setup = setup;
    this.sizes = experiment.sizes();
    this.server = server;
    this.prefix = prefix;
    // Each repetition and each setup has the same workflow.
    this.random = new Random(experiment.nodes());
  }

  Workflow workflow() {
    int parallel = experiment.parallelTasks();
    switch (experiment.pattern()) {
      case PIPELINE -> pipeline(parallel);
      case BROADCAST -> broadcast(parallel);
      case REDUCE -> reduce(parallel);
      case SCATTER -> scatter();
      case GATHER -> gather();
      case REUSE -> reuse();
    }
    if (!server.isEmpty()) {
      stage();
    }
    return new Workflow(experiment.pattern().label(), tasks, files);
  }

  /** Returns the workflow of a run, with the experiment's number of repetitions in sequence. */
  static Workflow ofRun(Experiment experiment, Setup setup, String server) {
    return ofRun(experiment, setup, server, PAUSE_SECONDS);
  }

  /** Returns the workflow of a run with a number of seconds between two repetitions. */
  static Workflow ofRun(Experiment experiment, Setup setup, String server, int pauseSeconds) {
    List<Workflow> repetitions = new ArrayList<>();
    for (int row = 1; row <= experiment.inARow(); row++) {
      String prefix = experiment.inARow() == 1 ? "" : row + "-";
      repetitions.add(new PatternWorkflow(experiment, setup, server, prefix).workflow());
    }
    return RepeatedWorkflow.of(repetitions, pauseSeconds);
  }

  /**
   * Returns the workflow after each worker has moved a file, whose bytes are checked like all
   * others.
   */
  static Workflow warmed(Experiment experiment, Setup setup, String server) {
    return WorkerWarmUp.of(ofRun(experiment, setup, server), experiment.nodes(), CHECKED);
  }

  private void pipeline(int parallel) {
    for (int i = 0; i < parallel; i++) {
      String input = input("in-" + i, sizes.input());
      String first = file("a-" + i, sizes.intermediate());
      String second = file("b-" + i, sizes.intermediate());
      String output = output("out-" + i);
      task("first", i, List.of(input), first, computing());
      task("second", i, List.of(first), second, computing());
      task("third", i, List.of(second), output, computing());
    }
  }

  private void broadcast(int parallel) {
    String input = input("in", sizes.input());
    String shared = file("shared", sizes.intermediate());
    task("produce", 0, List.of(input), shared, pace());
    for (int i = 0; i < parallel; i++) {
      task("consume", i, List.of(shared), output("out-" + i), computing());
    }
  }

  private void reduce(int parallel) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < parallel; i++) {
      String input = input("in-" + i, sizes.input());
      String part = file("part-" + i, sizes.intermediate());
      parts.add(part);
      task("produce", i, List.of(input), part, computing());
    }
    task("reduce", 0, parts, output("out"), new Work(0, 0));
  }

  private void scatter() {
    long region = experiment.region();
    String input = input("in", sizes.input());
    String whole = file("whole", region * experiment.nodes());
    task("produce", 0, List.of(input), whole, pace());
    for (int i = 0; i < experiment.nodes(); i++) {
      String part = new FileRegion(whole, i * region, region).id();
      task("consume", i, List.of(part), output("out-" + i), new Work(0, 0));
    }
  }

  /** Ordinary programs have to read several files and write one to join them. */
  private void gather() {
    long region = experiment.region();
    long bytes = region * experiment.nodes();
    String out = prefix + "out";
    files.put(out, new DataFile(out, bytes));
    outputs.add(out);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < experiment.nodes(); i++) {
      String input = input("in-" + i, Math.max(1, sizes.input() / experiment.nodes()));
      FileRegion part = new FileRegion(out, i * region, region);
      String script = checks(List.of(input)) + "\n" + FileContents.print(out, i * region, region);
      String file = part.id();
      if (isJoinedByReading()) {
        file = file("part-" + i, region);
        parts.add(file);
      }
      add(new Step("produce", i, script + " > " + file), List.of(input), file);
    }
    if (!parts.isEmpty()) {
      String join = "cat " + String.join(" ", parts) + " > " + out;
      add(new Step("join", 0, join), parts, out);
    }
  }

  private boolean isJoinedByReading() {
    return setup.mode() != Mode.WEIR && experiment.variant() != PatternVariant.CONCAT;
  }

  private void reuse() {
    String input = input("in", sizes.input());
    String shared = file("shared", sizes.intermediate());
    task("produce", 0, List.of(input), shared, new Work(0, 0));
    String before = shared;
    for (int i = 0; i < REUSES; i++) {
      String output = output("out-" + i);
      List<String> read = before.equals(shared) ? List.of(shared) : List.of(shared, before);
      task("read", i, read, output, new Work(0, 0));
      before = output;
    }
  }

  /** As in the study, each stage begins when the previous one has ended. */
  private void stage() {
    List<Task> work = List.copyOf(tasks);
    tasks.clear();
    List<String> first = new ArrayList<>();
    for (String input : inputs) {
      String id = STAGE_IN + "-" + input;
      first.add(id);
      String script = "curl --silent --show-error --fail -o " + input + " " + server + input;
      tasks.add(new Task(id, STAGE_IN, shell(script), List.of(), List.of(input), 0));
    }
    List<String> last = new ArrayList<>();
    for (Task task : work) {
      last.add(task.id());
      boolean reads = task.mentionedInputs().stream().anyMatch(inputs::contains);
      tasks.add(reads ? TaskCopies.after(task, first) : task);
    }
    for (String output : outputs) {
      String script =
          "curl --silent --show-error --fail -o /dev/null -T " + output + " " + server + output;
      String id = STAGE_OUT + "-" + output;
      tasks.add(new Task(id, STAGE_OUT, shell(script), List.of(output), List.of(), last, 0));
    }
  }

  private static List<String> shell(String script) {
    return List.of("sh", "-c", script);
  }

  private String input(String id, long bytes) {
    String name = file(id, bytes);
    inputs.add(name);
    return name;
  }

  private String output(String id) {
    String name = file(id, sizes.output());
    outputs.add(name);
    return name;
  }

  private String file(String id, long bytes) {
    String name = prefix + id;
    files.put(name, new DataFile(name, bytes));
    return name;
  }

  /**
   * The work of a task between reading and writing.
   *
   * @param computing seconds before it writes
   * @param writing seconds over which it writes
   */
  private record Work(int computing, double writing) {}

  private Work computing() {
    return experiment.variant() == PatternVariant.WAVES
        ? new Work(LEAST_SECONDS + random.nextInt(MOST_SECONDS - LEAST_SECONDS + 1), 0)
        : new Work(0, 0);
  }

  private Work pace() {
    return experiment.variant() == PatternVariant.SLOW_WRITER
        ? new Work(0, 2 * experiment.intermediate() / experiment.bytesPerSecond())
        : new Work(0, 0);
  }

  private void task(String type, int number, List<String> reads, String output, Work work) {
    long bytes = files.getOrDefault(output, new DataFile(output, 0)).sizeBytes();
    String script = checks(reads) + "\n";
    if (work.computing() > 0) {
      script += "sleep " + work.computing() + "\n";
    }
    script +=
        work.writing() > 0
            ? slowly(output, bytes, work.writing())
            : FileContents.print(output, 0, bytes) + " > " + output;
    add(new Step(type, number, script), reads, output);
  }

  private static String slowly(String output, long bytes, double seconds) {
    long piece = bytes / PIECES;
    return String.format(
        Locale.ROOT,
        "yes %s | { i=0; while [ $i -lt %d ]; do head -c %d; sleep %.4f; i=$((i+1)); done;"
            + " head -c %d; } > %s",
        output,
        PIECES,
        piece,
        seconds / PIECES,
        bytes - PIECES * piece,
        output);
  }

  private String checks(List<String> reads) {
    StringBuilder script = new StringBuilder();
    for (String read : reads) {
      FileRegion region =
          FileRegion.parse(read)
              .orElseGet(
                  () -> new FileRegion(read, 0, files.getOrDefault(read, NOTHING).sizeBytes()));
      script
          .append(script.isEmpty() ? "" : "\n")
          .append(FileContents.check(read, region.file(), region.offset(), region.length()));
    }
    return script.toString();
  }

  /** A task without its files. */
  private record Step(String type, int number, String script) {}

  private void add(Step step, List<String> reads, String output) {
    tasks.add(
        new Task(
            step.type() + "-" + step.number(),
            step.type(),
            shell(step.script()),
            reads,
            List.of(output),
            UNKNOWN_SECONDS));
  }
}
