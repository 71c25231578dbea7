package dev.weir.bench.confuga;

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
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.Workflow;
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

/** Runs a real Confuga. Needs the distribution that the build has made. */
@Tag("nightly")
class ConfugaRunsTest {
  private static final Path DISTRIBUTIONS = Path.of("../cli/target/distribution");
  private static final long BYTES = 100_000;

  @TempDir Path directory;

  @Test
  void pushesAndPullsReachAllNodes() throws IOException, InterruptedException {
    assumeThat(HostKind.NAMESPACES.lack()).isEmpty();
    assumeThat(ProgramLookup.missing(ConfugaCluster.PROGRAMS)).isEmpty();
    assumeThat(DISTRIBUTIONS).isDirectory();
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(distribution()))
            .nodes(2)
            .link(LinkRate.parse("100mbit"))
            .hintServices(0)
            .build();
    try (LocalCluster cluster = LocalCluster.start(spec, ProgressListener.NONE);
        ConfugaRuns runs =
            new ConfugaRuns(
                new ForeignSystem.Site(
                    cluster, directory, Duration.ofMinutes(2), Clock.systemUTC()),
                BYTES)) {
      for (Setup setup : List.of(Setup.CONFUGA_PUSH, Setup.CONFUGA_PULL)) {
        Path results = directory.resolve(setup.label());

        MeasuredRuns.Measured measured = runs.run(subject(), setup, results);

        assertThat(measured.record().tasks()).hasSize(26);
        assertThat(measured.usage().networkBytes()).isGreaterThan(BYTES);
        assertThat(results.resolve("sum.024")).content().endsWith(" 100000 data\n");
      }
    }
  }

  private static Path distribution() throws IOException {
    try (Stream<Path> all = Files.list(DISTRIBUTIONS)) {
      return all.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  private Subject subject() throws IOException {
    Path file =
        Files.writeString(directory.resolve("a.makeflow"), ConfugaWorkflow.A.makeflow(BYTES));
    Workflow workflow = Importers.standard().read(file, ImportSettings.NONE).workflow();
    return new Subject(
        "a",
        "",
        workflow,
        new Subject.Programs(false, Map.of()),
        new Subject.Inputs(directory, BlockSize.DEFAULT),
        new Subject.Results(List.of("sum.024"), Subject.Check.BYTES));
  }
}
