package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ClusterSpec;
import dev.weir.cluster.HadoopJars;
import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.Mode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager that keeps its state is killed in mid-run, and started again. */
@Tag("nightly")
class ResourceManagerIT {

  private static final String RESOURCE_MANAGER = "resourcemanager";

  @TempDir private Path folder;

  @Test
  void theRunGoesOnMeanwhileAndRunsNothingTwice() throws Exception {
    try (LocalCluster cluster = start();
        ClusterRuns runs = new ClusterRuns(cluster, "resource-manager")) {
      Marks marks = new Marks(folder.resolve("marks"));
      runs.put("data", ShellWorkflow.inputs());
      try (LiveRun run = runs.start(ShellWorkflow.held(marks), Mode.WEIR, "data", 2)) {
        marks.awaitBegun("gen", 2);

        cluster.stopDaemon(RESOURCE_MANAGER);
        marks.open("gen");
        marks.awaitBegun("hold", 1);
        cluster.startDaemon(RESOURCE_MANAGER);
        marks.open("hold");
        RunRecord record = run.end();

        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(record.tasks()).allMatch(task -> task.outcome() == Outcome.SUCCEEDED);
        assertThat(marks.begun("gen")).hasSize(ShellWorkflow.WIDTH);
        assertThat(marks.begun("hold")).hasSize(1);
      }
      assertThat(runs.text("data", "final.txt")).isEqualTo(undisturbed(runs));
    }
  }

  private static LocalCluster start() throws Exception {
    return LocalCluster.start(
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(2)
            .hosts(ClusterExtension.hosts())
            .configuration("yarn.resourcemanager.recovery.enabled", "true")
            .build(),
        progress -> System.out.println("local cluster: " + progress));
  }

  private String undisturbed(ClusterRuns runs) throws Exception {
    Marks marks = new Marks(folder.resolve("undisturbed"));
    marks.open("gen");
    marks.open("hold");
    runs.put("undisturbed", ShellWorkflow.inputs());
    try (LiveRun run = runs.start(ShellWorkflow.held(marks), Mode.WEIR, "undisturbed", 2)) {
      assertThat(run.end().state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    }
    return runs.text("undisturbed", "final.txt");
  }
}
