package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.it.Distribution;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Debian's Makeflow runs its rules in a session. */
class MakeflowIT extends SessionRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(4);

  MakeflowIT() {
    super("makeflow");
  }

  @BeforeEach
  void startSessionForMakeflow() throws Exception {
    assumeThat(ProgramLookup.missing(List.of("makeflow", "orted"), System.getenv("PATH")))
        .as("missing programs: install coop-computing-tools and openmpi-bin (Debian)")
        .isEmpty();
    startSession();
  }

  @Test
  void makeflowRunsItsRulesInTheSession() throws Exception {
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

    int code = makeflow(workflow, "makeflow");

    assertThat(code).as(output()).isZero();
    assertThat(Files.readString(folder.resolve("counts.txt"))).isEqualTo("3\n2\n");
    assertThat(runs.text("makeflow", "a.count")).isEqualTo("3\n");
    assertThat(Files.readAllBytes(folder.resolve("a.count")))
        .as("an intermediate file stays in HDFS")
        .containsExactly(0, 0);
    JobClient client = sessions.client(session, DEADLINE);
    assertThat(client.list()).hasSize(3).allMatch(job -> job.state() == JobState.SUCCEEDED);
  }

  @Tag("nightly")
  @Test
  void makeflowIsEndedIfItWaitsForTheOutputOfAFailedRule() throws Exception {
    Path workflow = folder.resolve("fails.makeflow");
    Files.writeString(
        workflow,
        """
        a:
        \tcat missing > a

        b: a
        \tcat a > b
        """);

    int code = makeflow(workflow, "makeflow-fails", "--", "-r", "1");

    assertThat(code).as(output()).isEqualTo(1);
    assertThat(output()).contains("makeflow waits for", "cat missing > a");
  }

  private int makeflow(Path workflow, String data, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Distribution.built().weir().toString(),
                "makeflow",
                workflow.toString(),
                "--cluster",
                cluster.dir().toString(),
                "--session",
                session,
                "--data",
                runs.path(data, "."),
                "--fetch",
                "results"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start()
        .waitFor();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output.txt"));
  }
}
