package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.it.Distribution;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.Pools;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.PoolStarter;
import dev.weir.workflow.run.WorkerPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Debian's Makeflow has a pool run its rules. */
class MakeflowIT extends MarkedRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(4);
  private static final int IDLE_SECONDS = 5;

  private Pools pools;
  private String pool;

  MakeflowIT() {
    super("makeflow");
  }

  @BeforeEach
  void startPool() throws Exception {
    assumeThat(program("makeflow"))
        .as("no makeflow here: install coop-computing-tools and openmpi-bin (Debian)")
        .isPresent();
    pools = Pools.open(cluster.configuration());
    pool =
        new PoolStarter(cluster.configuration(), ClusterRuns.runnerJars())
            .start(
                new PoolStarter.Request(
                    "makeflow",
                    Mode.WEIR,
                    WorkerPlan.DEFAULT.withCount(3).elastic(0, IDLE_SECONDS),
                    0));
  }

  @AfterEach
  void killPool() throws Exception {
    if (pools == null) {
      return; // The test is skipped.
    }
    try {
      pools.kill(pool);
    } finally {
      pools.close();
    }
  }

  @Test
  void makeflowRunsItsRulesOnThePool() throws Exception {
    Path workflow = folder.resolve("words.makeflow");
    Files.writeString(
        workflow,
        """
        counts.txt: a.count b.count
        \tcat a.count b.count > counts.txt

        a.count: a.txt
        \twc -w < a.txt > a.count

        b.count: b.txt
        \twc -w < b.txt > b.count
        """);
    Files.writeString(folder.resolve("a.txt"), "one two three\n");
    Files.writeString(folder.resolve("b.txt"), "four five\n");
    Path output = folder.resolve("output.txt");
    ProcessBuilder command =
        new ProcessBuilder(
                Distribution.built().weir().toString(),
                "makeflow",
                workflow.toString(),
                "--cluster",
                cluster.dir().toString(),
                "--pool",
                pool,
                "--data",
                runs.path("makeflow", "."),
                "--fetch",
                "results")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());

    int code = command.start().waitFor();

    assertThat(code).as(Files.readString(output)).isZero();
    assertThat(Files.readString(folder.resolve("counts.txt"))).isEqualTo("3\n2\n");
    assertThat(runs.text("makeflow", "a.count")).isEqualTo("3\n");
    assertThat(Files.readAllBytes(folder.resolve("a.count")))
        .as("an intermediate file stays in HDFS")
        .containsExactly(0, 0);
    JobClient client = pools.client(pool, DEADLINE);
    assertThat(client.list()).hasSize(3).allMatch(job -> job.state() == JobState.SUCCEEDED);
  }

  private static Optional<Path> program(String name) {
    for (String directory : System.getenv("PATH").split(":", -1)) {
      Path file = Path.of(directory, name);
      if (Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
