package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager is killed during a run; it is restarted, or another one takes over. */
@Tag("nightly")
class ResourceManagerIT {

  private static final String RESOURCE_MANAGER = "resourcemanager";

  @TempDir private Path folder;

  @Test
  void theRunContinuesAndRunsNoTaskTwice() throws Exception {
    try (LocalCluster cluster = start(1);
        ClusterRuns runs = new ClusterRuns(cluster, "resource-manager")) {
      Marks marks = new Marks(folder.resolve("marks"));
      runs.put("data", ShellWorkflow.inputs());
      Workflow workflow = ShellWorkflow.woven(marks);
      try (LiveRun run = runs.start(workflow, Mode.WEIR, "data", 2)) {
        marks.awaitBegun("gen", 2);

        cluster.stopDaemon(RESOURCE_MANAGER);
        marks.open("gen");
        marks.awaitBegun("hold", 2);
        cluster.startDaemon(RESOURCE_MANAGER);
        marks.open("hold");
        RunRecord record = run.end();

        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(record.tasks()).allMatch(task -> task.outcome() == Outcome.SUCCEEDED);
        assertThat(marks.begun("gen")).hasSize(ShellWorkflow.WIDTH);
        assertThat(marks.begun("hold")).hasSize(2);
      }
      assertThat(runs.results(workflow, "data")).isEqualTo(undisturbed(runs));
    }
  }

  @Test
  void anotherResourceManagerTakesOver() throws Exception {
    try (LocalCluster cluster = start(2);
        ClusterRuns runs = new ClusterRuns(cluster, "resource-managers")) {
      Marks marks = new Marks(folder.resolve("marks"));
      runs.put("data", ShellWorkflow.inputs());
      Workflow workflow = ShellWorkflow.woven(marks);
      try (LiveRun run = runs.start(workflow, Mode.WEIR, "data", 2)) {
        marks.awaitBegun("gen", 2);

        cluster.stopDaemon(active(cluster));
        marks.open("gen");
        marks.awaitBegun("hold", 2);
        marks.open("hold");
        RunRecord record = run.end();

        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(marks.begun("gen")).hasSize(ShellWorkflow.WIDTH);
        assertThat(marks.begun("hold")).hasSize(2);
        assertThat(runs.report(run).getFinalApplicationStatus())
            .isEqualTo(FinalApplicationStatus.SUCCEEDED);
      }
      assertThat(runs.results(workflow, "data")).isEqualTo(undisturbed(runs));
    }
  }

  private static String active(LocalCluster cluster) throws Exception {
    boolean isFirst =
        cluster
                .jmx(RESOURCE_MANAGER, "Hadoop:service=ResourceManager,name=ClusterMetrics")
                .path(0)
                .path("NumActiveNMs")
                .asInt()
            > 0;
    return isFirst ? RESOURCE_MANAGER : "resourcemanager2";
  }

  private static LocalCluster start(int resourceManagers) throws Exception {
    return LocalCluster.start(
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(2)
            .hosts(ClusterExtension.hosts())
            .resourceManagers(resourceManagers)
            .startTimeout(Duration.ofMinutes(6))
            .configuration("yarn.resourcemanager.recovery.enabled", "true")
            .build(),
        progress -> System.out.println("local cluster: " + progress));
  }

  private Map<String, String> undisturbed(ClusterRuns runs) throws Exception {
    Marks marks = new Marks(folder.resolve("undisturbed"));
    marks.open("gen");
    marks.open("hold");
    runs.put("undisturbed", ShellWorkflow.inputs());
    Workflow workflow = ShellWorkflow.woven(marks);
    try (LiveRun run = runs.start(workflow, Mode.WEIR, "undisturbed", 2)) {
      assertThat(run.end().state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
    }
    return runs.results(workflow, "undisturbed");
  }
}
