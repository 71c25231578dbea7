package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.Commands;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.PlanCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failed starts, interrupted starts, killed starters, and concurrent starts. */
@Tag("nightly")
class CrashIT {
  @TempDir private Path parent;

  @ParameterizedTest
  @EnumSource(HostKind.class)
  void anotherProcessRemovesTheClusterOfAKilledStarter(HostKind hosts) throws Exception {
    assumeAvailable(hosts);
    Path dir = parent.resolve("killed");
    Process starter = startUntil(hosts, dir, "daemons started 3/4");
    starter.destroyForcibly().waitFor();
    assertThat(LocalCluster.known()).contains(dir);
    ClusterPlan plan = PlanCodec.read(dir, ClusterRegistry.ofUser());
    assertThat(OrphanFinder.of(dir)).isNotEmpty();
    // The state file, too, which describes the cluster.
    Files.delete(plan.files().state());

    LocalCluster.attach(dir).close();
    assertGone(plan);
  }

  @Test
  void anInterruptedStarterLeavesNothing() throws Exception {
    HostKind hosts =
        HostKind.NAMESPACES.lack().isPresent() ? HostKind.LOOPBACK : HostKind.NAMESPACES;
    Path dir = parent.resolve("interrupted");
    Process starter = startUntil(hosts, dir, "daemons started 2/4");
    ClusterPlan plan = PlanCodec.read(dir, ClusterRegistry.ofUser());
    // The signal that Ctrl-C sends.
    Commands.run("kill", "-INT", String.valueOf(starter.pid()));
    assertThat(starter.waitFor(2, TimeUnit.MINUTES)).as("the starter has ended").isTrue();
    assertGone(plan);
  }

  @Test
  void aDaemonThatDiesIsReportedWithItsLogAndTheClusterIsRemoved() {
    Path dir = parent.resolve("dies");
    ClusterSpec spec =
        ClusterSpec.builder(TestJars.stock())
            .nodes(1)
            .dir(dir)
            .configuration("dfs.namenode.http-address", "192.0.2.1:9870")
            .build();
    assertThatThrownBy(() -> LocalCluster.start(spec, ProgressListener.NONE))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("The daemon namenode ended with exit code 1")
        .hasMessageContaining("java.net.BindException");
    assertThat(dir).doesNotExist();
    assertThat(OrphanFinder.of(dir)).isEmpty();
  }

  @Test
  void twoClustersRunAtOnce() throws Exception {
    ClusterSpec.Builder spec = ClusterSpec.builder(TestJars.stock()).nodes(1);
    CompletableFuture<LocalCluster> first = start(spec.dir(parent.resolve("a")).build());
    CompletableFuture<LocalCluster> second = start(spec.dir(parent.resolve("b")).build());
    try (LocalCluster b = get(second)) {
      try (LocalCluster a = get(first)) {
        assertThat(a.master().address()).isNotEqualTo(b.master().address());
      }
      assertThat(OrphanFinder.of(parent.resolve("a"))).isEmpty();
      assertThat(b.status().isComplete()).isTrue();
      assertThat(b.status().liveDataNodes()).isEqualTo(1);
    }
    assertThat(OrphanFinder.of(parent.resolve("b"))).isEmpty();
    assertThat(parent.toFile().list()).isEmpty();
  }

  private static LocalCluster get(CompletableFuture<LocalCluster> starting)
      throws InterruptedException, ExecutionException {
    return starting.get();
  }

  private static CompletableFuture<LocalCluster> start(ClusterSpec spec) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return LocalCluster.start(spec, ProgressListener.NONE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Runs a starter until it has reported a step. */
  private Process startUntil(HostKind hosts, Path dir, String step) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                // A shell's background jobs and their children ignore SIGINT.
                "env",
                "--default-signal=INT",
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                StarterMain.class.getName(),
                hosts.name(),
                dir.toString()));
    Process starter = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = starter.inputReader();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.equals(step)) {
        return starter;
      }
    }
    throw new IOException("The starter ended before '" + step + "'");
  }

  private static void assertGone(ClusterPlan plan) throws IOException {
    assertThat(plan.dir()).doesNotExist();
    assertThat(OrphanFinder.of(plan.dir())).isEmpty();
    if (plan.hosts() == HostKind.NAMESPACES) {
      assertThat(OrphanFinder.networkOf(plan)).isEmpty();
    }
    assertThat(LocalCluster.known()).doesNotContain(plan.dir());
  }

  private static void assumeAvailable(HostKind hosts) {
    assumeTrue(hosts.lack().isEmpty(), () -> hosts.lack().orElse(""));
  }
}
