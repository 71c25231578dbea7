package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.workflow.client.SessionStarter;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Containers authenticate with delegation tokens and read with block tokens, as in a cluster with
 * Kerberos. HDFS can be configured to use both without Kerberos.
 */
@Tag("nightly")
class TokensIT {
  private static final int NODES = 2;
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private static LocalCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    ClusterSpec spec =
        ClusterSpec.builder(jars)
            .nodes(NODES)
            .hosts(ClusterExtension.hosts())
            .configuration("dfs.namenode.delegation.token.always-use", "true")
            .configuration("dfs.block.access.token.enable", "true")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("tokens: " + step));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aRunAuthenticatesWithTokens() throws Exception {
    Marks marks = new Marks(folder.resolve("marks"));
    marks.open("gen");
    marks.open("clean");
    try (ClusterRuns runs = new ClusterRuns(cluster, "tokens")) {
      runs.put("data", ShellWorkflow.inputs());
      String id;
      try (LiveRun run = runs.start(ShellWorkflow.lines(marks), Mode.WEIR, "data", NODES)) {
        id = run.id();
        RunRecord record = run.end();
        assertThat(record.state()).as(run.failure()).isEqualTo(RunState.SUCCEEDED);
        assertThat(run.notes()).isEmpty();
      }
      assertThat(runs.text("data", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
      assertThat(created("/.weir/runs/" + id + "/.status.json"))
          .as("calls of the ApplicationMaster")
          .isNotEmpty()
          .allMatch(TokensIT::byToken);
      assertThat(created("/run-it/tokens/data/sum/"))
          .as("calls of workers")
          .isNotEmpty()
          .allMatch(TokensIT::byToken);
      assertThat(containerLogs(id))
          .as("logs of the containers")
          .isNotEmpty()
          .doesNotContain("again by Hadoop's own stream", "Access token was invalid");
    }
  }

  @Test
  void aSessionAuthenticatesWithTokens() throws Exception {
    try (ClusterRuns runs = new ClusterRuns(cluster, "token-session");
        Sessions sessions = Sessions.open(cluster.configuration())) {
      runs.put("data", Map.of("in.txt", "seed\n".getBytes(StandardCharsets.UTF_8)));
      String session =
          new SessionStarter(cluster.configuration(), ClusterRuns.runnerJars())
              .start(
                  new SessionStarter.Request(
                      "it",
                      Mode.WEIR,
                      WorkerPlan.DEFAULT.withCount(1),
                      0,
                      MasterMemory.DEFAULT,
                      ApplicationRequest.DEFAULT,
                      TaskSecrets.NONE));
      try {
        JobClient client = sessions.client(session, DEADLINE);
        client.submit(
            new Job(
                "copy",
                "",
                List.of("cp", "in", "out"),
                Map.of(),
                List.of(new JobFile(runs.path("data", "in.txt"), "in")),
                List.of(new JobFile(runs.path("data", "out.txt"), "out")),
                JobOptions.DEFAULT));
        assertThat(client.await("copy", DEADLINE))
            .get()
            .extracting(JobStatus::state)
            .isEqualTo(JobState.SUCCEEDED);
      } finally {
        sessions.kill(session);
      }
      assertThat(runs.text("data", "out.txt")).isEqualTo("seed\n");
      assertThat(created("/.weir/sessions/" + session + "/.endpoint.json"))
          .isNotEmpty()
          .allMatch(TokensIT::byToken);
      assertThat(created("/run-it/token-session/data/out.txt"))
          .isNotEmpty()
          .allMatch(TokensIT::byToken);
    }
  }

  private static boolean byToken(String line) {
    return line.contains("(auth:TOKEN)");
  }

  /** The NameNode's audit lines of created files whose paths contain a text. */
  private static List<String> created(String path) throws IOException {
    return Files.readAllLines(cluster.log("namenode")).stream()
        .filter(line -> line.contains("cmd=create") && line.contains(path))
        .toList();
  }

  private static String containerLogs(String application) throws IOException {
    StringBuilder all = new StringBuilder();
    for (NodeInfo node : cluster.nodes()) {
      Path logs = cluster.containerLogs(node.name()).resolve(application);
      if (Files.isDirectory(logs)) {
        try (Stream<Path> files = Files.walk(logs)) {
          files.filter(file -> file.endsWith("syslog")).forEach(file -> all.append(text(file)));
        }
      }
    }
    return all.toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
