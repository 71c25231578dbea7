package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.montage.FitsComparison;
import dev.weir.montage.MontagePrograms;
import dev.weir.montage.MontageWorkflow;
import dev.weir.montage.SequentialRun;
import dev.weir.montage.SkySpec;
import dev.weir.montage.Survey;
import dev.weir.montage.SurveyFiles;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ordinary user on a cluster with Kerberos, privacy of calls and data transfers, and web servers
 * with TLS only.
 */
@Tag("nightly")
class KerberosIT {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private static final String USER = KerberosConfig.ORDINARY_USER;
  private static final String FIRST = "resourcemanager";
  private static final String SECOND = "resourcemanager2";

  private static LocalCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    ClusterSpec.Builder spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(2)
            .hosts(ClusterExtension.hosts())
            .secure(true)
            .resourceManagers(2)
            .startTimeout(Duration.ofMinutes(6));
    cluster =
        LocalCluster.start(
            YarnOptions.allow(spec).build(), step -> System.out.println("secure: " + step));
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private String workflow() throws Exception {
    Path file = folder.resolve("lines.makeflow");
    Files.writeString(
        file,
        """
        sorted.txt: a.txt b.txt
        \tcat a.txt b.txt | sort > sorted.txt

        count.txt: sorted.txt
        \twc -l < sorted.txt > count.txt
        """);
    Path inputs = Files.createDirectories(folder.resolve("inputs"));
    Files.writeString(inputs.resolve("a.txt"), "two\n");
    Files.writeString(inputs.resolve("b.txt"), "one\n");
    return file.toString();
  }

  private Shell.Ran weir(boolean ticket, String... arguments) throws Exception {
    Map<String, String> environment = environment();
    if (!ticket) {
      environment.put("KRB5CCNAME", folder.resolve("none").toString());
    }
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(arguments));
    return Shell.run(command, environment, folder);
  }

  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(cluster.clientEnvironment(USER));
    environment.put("HADOOP_CONF_DIR", cluster.confDir().toString());
    return environment;
  }

  /** Runs {@code hdfs dfs}. */
  private Shell.Ran fs(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("--user", USER, "dfs"));
    words.addAll(List.of(arguments));
    return hadoop("hdfs", words);
  }

  private Shell.Ran yarn(String... words) throws Exception {
    return hadoop("yarn", List.of(words));
  }

  private Shell.Ran hadoop(String program, List<String> words) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of("cluster", program, "--dir", cluster.dir().toString()));
    command.addAll(words);
    return Shell.run(command, Map.of(), folder);
  }

  private static void assumePrograms(String... programs) {
    assumeThat(ProgramLookup.missing(List.of(programs), System.getenv("PATH")))
        .as("missing programs")
        .isEmpty();
  }

  private static String log(String daemon) throws IOException {
    return Files.readString(cluster.log(daemon));
  }

  private Shell.Ran run(boolean ticket) throws Exception {
    return weir(
        ticket,
        "run",
        workflow(),
        "--upload",
        folder.resolve("inputs").toString(),
        "--out",
        folder.resolve("out").toString());
  }

  @Test
  void aRunHasTokensHintsAndProvenance() throws Exception {
    Shell.Ran ran = run(true);

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.err()).contains("SUCCEEDED").doesNotContain("note:");
    List<String> audit = log("namenode").lines().filter(line -> line.contains(" audit: ")).toList();
    assertThat(audit)
        .filteredOn(line -> line.contains("cmd=create") && line.contains(".status.json"))
        .as("calls of the ApplicationMaster")
        .isNotEmpty()
        .allMatch(line -> line.contains("(auth:TOKEN)"));
    assertThat(audit)
        .filteredOn(line -> line.contains("cmd=create") && line.contains("sorted.txt"))
        .as("calls of workers")
        .isNotEmpty()
        .allMatch(line -> line.contains("(auth:TOKEN)"));
    assertThat(audit)
        .as("calls of YARN")
        .anyMatch(line -> line.contains("cmd=renewDelegationToken"));
    await("cancellation of the token by YARN")
        .atMost(DEADLINE)
        .until(() -> log("namenode").contains("cmd=cancelDelegationToken"));
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(weir(true, "provenance", "weir/lines/count.txt").out())
                    .contains("wc -l", "succeeded"));
  }

  @Test
  void hintsAreInForceForWritablePathsOnly() throws Exception {
    Shell.Ran set = weir(true, "hints", "set", "/user/alice/hinted/", "pipeline", "--await");
    assertThat(set.code()).as(set.toString()).isZero();
    assertThat(weir(true, "hints", "get", "/user/alice/hinted/a").out()).contains("pipeline");

    Shell.Ran other = weir(true, "hints", "set", "/user/weir/", "pipeline");
    assertThat(other.code()).as("not writable: %s", other).isNotZero();
  }

  @Test
  void hintsByRestNeedATicket() throws Exception {
    assumePrograms("curl");
    String url = cluster.hintServices().get(0) + "/v1/hints?path=/user/alice/rest";
    List<String> put = new ArrayList<>(List.of("curl", "-sSk", "-w", "%{http_code}", "-X", "PUT"));
    put.addAll(List.of("-H", "Content-Type: text/plain", "-d", "broadcast=2", url));
    assertThat(Shell.run(put, environment(), folder).out()).endsWith("401");

    put.addAll(1, List.of("--negotiate", "-u", ":"));
    Shell.Ran set = Shell.run(put, environment(), folder);

    assertThat(set.out()).as(set.toString()).contains("\"owner\":\"alice\"").endsWith("201");
  }

  @Test
  void attributesBecomeHints() throws Exception {
    assertThat(fs("-mkdir", "-p", "attribute").code()).isZero();
    Shell.Ran set = fs("-setfattr", "-n", "user.weir.hint", "-v", "broadcast=2", "attribute");
    assertThat(set.code()).as(set.toString()).isZero();

    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(weir(true, "hints", "get", "attribute/x").out())
                    .contains("broadcast=2", "of alice"));
  }

  @Test
  void aRunInAnEncryptionZoneKeepsItsFilesThere() throws Exception {
    Shell.Ran ran =
        weir(
            true,
            "run",
            workflow(),
            "--upload",
            folder.resolve("inputs").toString(),
            "--data",
            "/encrypted/lines",
            "--out",
            folder.resolve("out").toString());

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(fs("-cat", "/encrypted/lines/count.txt").out()).isEqualTo("2\n");
    assertThat(log("namenode").lines())
        .as("intermediate files are written to HDFS")
        .anyMatch(line -> line.contains("cmd=create") && line.contains("/encrypted/lines/sorted"));
    assertThat(log("kms")).as(log("kms")).contains("DECRYPT_EEK");
  }

  @Test
  void montageMakesTheSamePixelsAsWithoutHadoop() throws Exception {
    assumeThat(MontagePrograms.missing(System.getenv())).as("missing programs").isEmpty();
    Survey survey = Survey.plan(new SkySpec(2, 150, 5));
    Workflow mosaic = MontageWorkflow.of(survey);
    Path tiles = Files.createDirectory(folder.resolve("tiles"));
    SurveyFiles.write(survey, tiles);
    Path alone = Files.createDirectory(folder.resolve("alone"));
    SurveyFiles.write(survey, alone);
    new SequentialRun(alone, folder.resolve("sandboxes"), System.getenv()).run(mosaic, task -> {});
    Path workflow = folder.resolve("montage.json");
    WfFormatWriter.write(mosaic, workflow);

    Shell.Ran ran =
        weir(
            true,
            "run",
            workflow.toString(),
            "--upload",
            tiles.toString(),
            "--data",
            "montage",
            "--out",
            folder.resolve("out").toString());

    assertThat(ran.code()).as(ran.toString()).isZero();
    Path made = folder.resolve("made.fits");
    Shell.Ran got = fs("-get", "montage/" + MontageWorkflow.MOSAIC, made.toString());
    assertThat(got.code()).as(got.toString()).isZero();
    FitsComparison comparison = FitsComparison.compare(alone.resolve(MontageWorkflow.MOSAIC), made);
    assertThat(comparison.identical()).as(comparison.toString()).isTrue();
  }

  @Test
  void makeflowRunsItsRulesInASession() throws Exception {
    assumePrograms("makeflow", "orted");
    Path words = folder.resolve("words.makeflow");
    Files.writeString(words, "words.count: words.txt\n\twc -w < words.txt > words.count\n");
    Files.writeString(folder.resolve("words.txt"), "one two three\n");
    Shell.Ran session = weir(true, "session", "start", "--workers", "1");
    assertThat(session.code()).as(session.toString()).isZero();
    try {
      Shell.Ran ran =
          weir(true, "makeflow", words.toString(), "--data", "words", "--fetch", "results");
      assertThat(ran.code()).as(ran.toString()).isZero();
      assertThat(folder.resolve("words.count")).content().isEqualTo("3\n");
    } finally {
      weir(true, "session", "stop", session.out().strip());
    }
  }

  @Test
  void theApplicationHasWhatItsUserAskedFor() throws Exception {
    ok(yarn("rmadmin", "-addToClusterNodeLabels", YarnOptions.LABEL));
    ok(yarn("rmadmin", "-replaceLabelsOnNode", "n1=" + YarnOptions.LABEL));
    try (BlockedRun run = new BlockedRun(folder, environment(), YarnOptions.after())) {
      run.awaitBegun();

      assertThat(ok(yarn("--user", USER, "application", "-status", run.id())))
          .containsPattern("Queue : (root\\.)?default")
          .contains("Application Priority : 3")
          .contains("Application Node Label Expression : " + YarnOptions.LABEL)
          .contains("TimeoutType : LIFETIME");
      assertThat(ok(yarn("--user", USER, "application", "-list", "-appTags", "night")))
          .contains(run.id());
      ProcessHandle worker =
          Processes.allContaining(Processes.WORKER, run.id()).findFirst().orElseThrow();
      assertThat(Processes.node(worker, cluster)).isEqualTo("n1");
      assertThat(ListeningPorts.of(worker)).isNotEmpty().allMatch(YarnOptions::isPortOfWorker);
      assertThat(ListeningPorts.of(Processes.containing(Processes.MASTER, run.id())))
          .isNotEmpty()
          .allMatch(YarnOptions::isPortOfMaster);
      run.open();
      assertThat(run.end()).as(run.output()).isZero();
    } finally {
      ok(yarn("rmadmin", "-replaceLabelsOnNode", "n1"));
    }
  }

  private static String ok(Shell.Ran ran) {
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }

  @Test
  void aRunSurvivesTheEndOfTheResourceManager() throws Exception {
    String active = activeResourceManager();
    try (BlockedRun run = new BlockedRun(folder, environment())) {
      run.awaitBegun();

      cluster.stopDaemon(active);
      await("the standby").atMost(DEADLINE).until(() -> !activeResourceManager().equals(active));
      run.open();

      assertThat(run.end()).as(run.output()).isZero();
    } finally {
      cluster.startDaemon(active);
    }
  }

  @Test
  void aRunSurvivesARestartOfTheResourceManager() throws Exception {
    String active = activeResourceManager();
    try (BlockedRun run = new BlockedRun(folder, environment())) {
      run.awaitBegun();

      cluster.stopDaemon(active.equals(FIRST) ? SECOND : FIRST);
      cluster.stopDaemon(active);
      cluster.startDaemon(active);
      await("the nodes").atMost(DEADLINE).until(() -> cluster.status().activeNodeManagers() == 2);
      run.open();

      assertThat(run.end()).as(run.output()).isZero();
    } finally {
      cluster.startDaemon(FIRST);
      cluster.startDaemon(SECOND);
    }
  }

  private static String activeResourceManager() throws Exception {
    for (String daemon : List.of(FIRST, SECOND)) {
      try {
        if (cluster
                .jmx(daemon, "Hadoop:service=ResourceManager,name=ClusterMetrics")
                .path(0)
                .path("NumActiveNMs")
                .asInt()
            > 0) {
          return daemon;
        }
      } catch (IOException e) {
        // It was stopped.
      }
    }
    return FIRST;
  }

  @Test
  void theHintsServiceNeedsTlsUnlessToldOtherwise() throws Exception {
    assertThat(startedWithoutTls(false))
        .contains("would serve without TLS", "weir.server.http.policy to HTTPS_ONLY")
        .doesNotContain("The hints service is at", "\tat ");

    assertThat(startedWithoutTls(true)).contains("The hints service is at http://");
  }

  /** Starts a service of its own without TLS, and returns what it prints until then. */
  private String startedWithoutTls(boolean allowed) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(Distribution.built().weir().toString(), "server"));
    for (String setting :
        List.of(
            "http.policy=HTTP_ONLY",
            "http.allowed-with-kerberos=" + allowed,
            "http-address=localhost:0",
            "database.url=jdbc:h2:" + folder.resolve("provenance"))) {
      command.addAll(List.of("-D", "weir.server." + setting));
    }
    Path output = folder.resolve("server.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment());
    String conf = cluster.confDir(cluster.master().name()).toString();
    builder.environment().put("HADOOP_CONF_DIR", conf);
    Process server = builder.start();
    try {
      await()
          .atMost(DEADLINE)
          .until(() -> !server.isAlive() || Files.readString(output).contains("is at http:"));
      return Files.readString(output);
    } finally {
      server.destroy();
    }
  }

  @Test
  void doctorFindsNoFault() throws Exception {
    Shell.Ran ran = weir(true, "doctor");

    assertThat(ran.out()).as(ran.toString()).doesNotContain("\tat ");
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  @Test
  void withoutATicketTheErrorNamesTheRemedy() throws Exception {
    Shell.Ran ran = run(false);

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("has no ticket that is valid: run kinit").doesNotContain("\tat");
  }
}
