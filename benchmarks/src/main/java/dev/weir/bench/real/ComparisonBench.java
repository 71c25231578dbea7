package dev.weir.bench.real;

import dev.weir.bench.series.Setup;
import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.WorkerPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;

/** Starts a cluster, runs subjects on it in several setups, and takes it down. */
public final class ComparisonBench {
  private static final long WARM_UP_BYTES = 1_000_000;

  private final BenchOptions options;
  private final int nodes;
  private final List<Setup> setups;
  private final PrintWriter console;

  /**
   * On so many nodes.
   *
   * @param console hears of every run
   */
  public ComparisonBench(BenchOptions options, int nodes, List<Setup> setups, PrintWriter console) {
    this.options = options;
    this.nodes = nodes;
    this.setups = List.copyOf(setups);
    this.console = console;
  }

  /**
   * Runs all subjects.
   *
   * @param name of the files that are written, without ending
   * @param heading of the page
   * @param about where and how it is measured
   * @throws IOException when a run fails, or its results are others than those of the first
   */
  public void run(String name, String heading, String about, List<Subject> subjects)
      throws IOException, InterruptedException {
    Path out = Files.createDirectories(options.out());
    Path scratch = Files.createTempDirectory(out, "warm-up-");
    ComparisonRun.Plan plan =
        new ComparisonRun.Plan(name, heading, about, setups, options.repeat(), out);
    try (LocalCluster cluster = LocalCluster.start(options.cluster(nodes), step -> {});
        SubjectRuns runs =
            new SubjectRuns(cluster, WorkerPlan.DEFAULT, scratch, Clock.systemUTC())) {
      ComparisonRun run = new ComparisonRun(plan, runs, console);
      run.warmUp(warmUp(scratch.resolve("inputs")));
      for (Subject subject : subjects) {
        run.compare(subject);
      }
      console.println();
      console.println(run.markdown());
      console.flush();
    } finally {
      FileUtils.deleteDirectory(scratch.toFile());
    }
  }

  /** Two short tasks for each node, so that no run that counts is the first of its kind. */
  private Subject warmUp(Path inputs) throws IOException {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    files.put("in", new DataFile("in", WARM_UP_BYTES));
    for (int i = 0; i < 2 * nodes; i++) {
      files.put("out" + i, new DataFile("out" + i, WARM_UP_BYTES));
      tasks.add(new Task("warm-" + i, "warm", List.of(), List.of("in"), List.of("out" + i), 0.1));
    }
    Workflow workflow = new Workflow("warm-up", tasks, files);
    Subject.makeInputs(workflow, inputs);
    return new Subject(
        "warm-up", "", workflow, Subject.Programs.STAND_INS, inputs, Subject.Results.NONE);
  }
}
