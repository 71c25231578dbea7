package dev.weir.bench.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.series.Setup;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.ProgressListener;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.TaskRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs real servers and rclone. Needs the distribution that the build has made. */
@Tag("nightly")
class StagedRunsTest {
  private static final Path DISTRIBUTIONS = Path.of("../cli/target/distribution");
  private static final Path S3PROXY =
      Path.of("../integration-tests/object-store/target/s3proxy").toAbsolutePath();

  /** The second command has two lines, as Montage's have. */
  private static final Workflow WORKFLOW =
      new Workflow(
          "w",
          List.of(
              task("cp in folder/copy.txt", List.of("in"), List.of("folder/copy.txt")),
              task(
                  "cat in folder/copy.txt > out\ntest -s out",
                  List.of("in", "folder/copy.txt"),
                  List.of("out"))),
          Map.of(
              "in", new DataFile("in", 5),
              "folder/copy.txt", new DataFile("folder/copy.txt", 5),
              "out", new DataFile("out", 10)));

  @TempDir Path directory;

  private static Task task(String script, List<String> inputs, List<String> outputs) {
    return new Task("task-" + inputs.size(), "t", List.of("sh", "-c", script), inputs, outputs, 0);
  }

  @Test
  void tasksExchangeFilesByEachServer() throws IOException, InterruptedException {
    assumeThat(HostKind.NAMESPACES.lack()).isEmpty();
    assumeThat(StagedRuns.missing(S3PROXY)).isEmpty();
    assumeThat(DISTRIBUTIONS).isDirectory();
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(distribution()))
            .nodes(2)
            .link(LinkRate.parse("100mbit"))
            .hintServices(0)
            .build();
    Files.writeString(directory.resolve("in"), "data\n");
    try (LocalCluster cluster = LocalCluster.start(spec, ProgressListener.NONE);
        StagedRuns runs =
            StagedRuns.start(
                new ForeignSystem.Site(
                    cluster, directory, Duration.ofMinutes(2), Clock.systemUTC()),
                S3PROXY)) {
      for (Setup setup : Setup.STAGED) {
        Path results = directory.resolve(setup.label());

        MeasuredRuns.Measured measured = runs.run(subject(), setup, results);

        assertThat(results.resolve("out")).hasContent("data\ndata");
        assertThat(measured.record().tasks())
            .hasSize(2)
            .extracting(TaskRecord::phases)
            .allSatisfy(
                phases -> {
                  assertThat(phases.stageInRemote()).isPositive();
                  assertThat(phases.stageOut()).isPositive();
                });
        assertThat(measured.usage().peakStorage()).isEqualTo(20);
      }
    }
  }

  private static Path distribution() throws IOException {
    try (Stream<Path> all = Files.list(DISTRIBUTIONS)) {
      return all.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  private Subject subject() {
    return new Subject(
        "w",
        "",
        WORKFLOW,
        new Subject.Programs(false, Map.of()),
        new Subject.Inputs(directory, BlockSize.DEFAULT),
        new Subject.Results(List.of("out"), Subject.Check.BYTES));
  }
}
