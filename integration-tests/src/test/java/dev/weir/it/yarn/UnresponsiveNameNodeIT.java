package dev.weir.it.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.it.Distribution;
import dev.weir.it.yarn.FakeNameNode.Behaviour;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A NameNode that stops for a minute, and servers in its place that send nothing or invalid data.
 * Asks that name files must still get containers; the output compares their delay with that of asks
 * that name nothing. The ResourceManager, the sockets and the NameNode are real.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnresponsiveNameNodeIT {
  private static final Duration MINUTE = Duration.ofSeconds(60);

  /** Longer than two lookups that each wait for ten seconds. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(25);

  private static final Duration DEADLINE = Duration.ofSeconds(90);
  private static final int NODES = 3;
  private static final int WAVE = 8;
  private static final int HELD_WAVES = 3;
  private static final String MANAGER = "resourcemanager";

  private LocalCluster cluster;
  private long stopped;

  @BeforeAll
  void start() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(NODES)
            .hosts(HostKind.LOOPBACK)
            .hintServices(0)
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("failure: " + step));
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void continueStopped() throws Exception {
    if (stopped != 0) {
      signal("CONT", stopped);
    }
  }

  @Test
  void requestsContinueWhileANameNodeIsStopped() throws Exception {
    Configuration conf = cluster.configuration();
    try (TestApplication named = TestApplication.start(conf);
        TestApplication plain = TestApplication.start(conf)) {
      stopped =
          cluster.status().daemons().stream()
              .filter(daemon -> daemon.name().equals("namenode"))
              .findFirst()
              .orElseThrow()
              .pid();
      signal("STOP", stopped);

      waves("stopped", MINUTE, named, plain);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherServerInItsPlace(Behaviour behaviour) throws Exception {
    Path site = cluster.confDir("master").resolve("core-site.xml");
    byte[] before = Files.readAllBytes(site);
    try (FakeNameNode server = new FakeNameNode(behaviour)) {
      Configuration conf = new Configuration(false);
      conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
      conf.set("fs.defaultFS", server.uri());
      try (OutputStream out = Files.newOutputStream(site)) {
        conf.writeXml(out);
      }
      restartManager();
      try (TestApplication named = TestApplication.start(cluster.configuration());
          TestApplication plain = TestApplication.start(cluster.configuration())) {
        waves(behaviour.name().toLowerCase(Locale.ROOT), LONG_ENOUGH, named, plain);
      }
      assertThat(server.clients()).as("connections of lookups").isPositive();
    } finally {
      Files.write(site, before);
      restartManager();
    }
  }

  /** Alternates waves of containers; the files of each wave are new, so that none is cached. */
  private void waves(String label, Duration time, TestApplication named, TestApplication plain)
      throws Exception {
    List<Double> namedMillis = new ArrayList<>();
    List<Double> plainMillis = new ArrayList<>();
    long requested = 0;
    long held = -1;
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < time.toNanos()) {
      long first = requested;
      plainMillis.add(plain.wave(WAVE, i -> null));
      namedMillis.add(named.wave(WAVE, i -> "weir:/" + label + "/d" + (first + i) + "/part"));
      requested += WAVE;
      if (namedMillis.size() == HELD_WAVES) {
        held = counter("AsksHeld");
      }
    }
    System.out.printf(
        Locale.ROOT,
        "namenode %s: %d waves of %d containers; that name files: first %.0f ms, median %.0f ms,"
            + " longest after it %.0f ms; that name nothing: median %.0f ms, longest %.0f ms%n",
        label,
        namedMillis.size(),
        WAVE,
        namedMillis.get(0),
        median(namedMillis),
        namedMillis.stream().skip(1).mapToDouble(Double::doubleValue).max().orElse(0),
        median(plainMillis),
        plainMillis.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    assertThat(namedMillis).hasSizeGreaterThan(HELD_WAVES);
    // Asks are held only in the first seconds.
    assertThat(counter("AsksHeld")).as("held asks").isEqualTo(held);
    assertThat(counter("LookupsDone")).isZero();
    assertThat(counter("Failures")).isZero();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private long counter(String name) throws IOException {
    JsonNode beans = cluster.jmx(MANAGER, "Hadoop:service=ResourceManager,name=WeirAsks");
    return beans.path(0).path(name).asLong(-1);
  }

  private void restartManager() throws IOException {
    cluster.stopDaemon(MANAGER);
    cluster.startDaemon(MANAGER);
    await().atMost(DEADLINE).until(() -> cluster.status().activeNodeManagers() == NODES);
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }
}
