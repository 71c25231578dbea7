package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code weir run} on a cluster whose clients see two NameNodes as one file system: by a mount
 * table of their own, and by a router. The second NameNode is that of a stock cluster.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamespacesIT {
  private static final String USER = System.getProperty("user.name");

  @TempDir private Path folder;
  private LocalCluster first;
  private LocalCluster second;
  private HdfsFiles files;

  @BeforeAll
  void start() throws Exception {
    HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
    first = cluster(ClusterSpec.builder(jars).nodes(2));
    second = cluster(ClusterSpec.builder(jars.withoutPlugins()).nodes(1));
    files = new HdfsFiles(first);
    try (FileSystem other = FileSystem.newInstance(second.configuration())) {
      other.mkdirs(new org.apache.hadoop.fs.Path("/archive"));
    }
  }

  private static LocalCluster cluster(ClusterSpec.Builder spec) throws IOException {
    return LocalCluster.start(
        spec.hosts(HostKind.LOOPBACK).build(), step -> System.out.println("namespaces: " + step));
  }

  @AfterAll
  void stop() throws Exception {
    if (files != null) {
      files.fs().close();
    }
    for (LocalCluster cluster : new LocalCluster[] {second, first}) {
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  @BeforeEach
  void writeWorkflow() throws IOException {
    Files.writeString(
        folder.resolve("twice.makeflow"),
        """
        raw.txt: input.txt
        \tcat input.txt input.txt > raw.txt

        final.txt: raw.txt
        \ttr a-z A-Z < raw.txt > final.txt
        """);
    Files.writeString(Files.createDirectories(folder.resolve("in")).resolve("input.txt"), "word\n");
  }

  @Test
  void runsByAMountTable() throws Exception {
    Path conf = viewfs();

    assertRuns(conf, "view");
    assertThat(text("/homes/" + USER + "/view/final.txt")).isEqualTo("WORD\nWORD\n");
    assertHinted("/homes/" + USER + "/view/raw.txt");
    Shell.Ran listed = weir(conf, "runs");
    assertThat(listed.out()).as(listed.toString()).contains("twice");

    Shell.Ran refused = run(conf, "/old/data");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err())
        .contains("/old/data is " + uri(second) + "/archive/data by the mount table");
  }

  @Test
  void hintsAreSetByAMountTable() throws Exception {
    Path conf = viewfs();
    files.fs().mkdirs(new org.apache.hadoop.fs.Path("/homes/" + USER + "/hinted"));

    Shell.Ran set = weir(conf, "hints", "set", "hinted/**", "replicas=1", "--await");

    assertThat(set.code()).as(set.toString()).isZero();
    Path local = Files.writeString(folder.resolve("hinted"), "content");
    files.awaitRule("/homes/" + USER + "/hinted/hinted");
    files.put("n1", local, "/homes/" + USER + "/hinted");
    assertThat(files.replication("/homes/" + USER + "/hinted/hinted")).isEqualTo(1);
  }

  @Test
  void runsByARouter() throws Exception {
    try (RouterProcess router = RouterProcess.start(folder, uri(first), uri(second))) {
      router.mount("/old", "/archive");
      Path conf = conf("router", router.uri(), Map.of());

      assertRuns(conf, "routed");
      assertThat(text("/user/" + USER + "/routed/final.txt")).isEqualTo("WORD\nWORD\n");
      assertHinted("/user/" + USER + "/routed/raw.txt");

      assertRuns(conf, "/old/routed");
      try (FileSystem other = FileSystem.newInstance(second.configuration())) {
        assertThat(other.exists(new org.apache.hadoop.fs.Path("/archive/routed/final.txt")))
            .isTrue();
      }
    }
  }

  private Path viewfs() throws IOException {
    files.fs().mkdirs(new org.apache.hadoop.fs.Path("/homes/" + USER));
    return conf(
        "view",
        "viewfs://all",
        Map.of(
            "fs.viewfs.mounttable.all.link./user", uri(first) + "/homes",
            "fs.viewfs.mounttable.all.link./tmp", uri(first) + "/tmp",
            "fs.viewfs.mounttable.all.link./old", uri(second) + "/archive"));
  }

  private static String uri(LocalCluster cluster) {
    return cluster.configuration().get("fs.defaultFS");
  }

  /** A client's configuration of the first cluster with another default file system. */
  private Path conf(String name, String defaultFs, Map<String, String> more) throws IOException {
    Path conf = Files.createDirectories(folder.resolve("conf-" + name));
    for (String file : List.of("hdfs-site.xml", "yarn-site.xml", "log4j.properties")) {
      Files.writeString(conf.resolve(file), Files.readString(first.confDir().resolve(file)));
    }
    Map<String, String> added = new LinkedHashMap<>(more);
    added.put("fs.defaultFS", defaultFs);
    StringBuilder properties = new StringBuilder();
    added.forEach(
        (key, value) ->
            properties.append(
                "<property><name>%s</name><value>%s</value></property>\n".formatted(key, value)));
    Files.writeString(
        conf.resolve("core-site.xml"),
        Files.readString(first.confDir().resolve("core-site.xml"))
            .replace("</configuration>", properties + "</configuration>"));
    return conf;
  }

  private void assertRuns(Path conf, String data) throws Exception {
    Shell.Ran ran = run(conf, data);
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.err()).doesNotContain("without hints");
  }

  private Shell.Ran run(Path conf, String data) throws Exception {
    return weir(
        conf,
        "run",
        folder.resolve("twice.makeflow").toString(),
        "--workers",
        "2",
        "--intermediate",
        "hdfs",
        "--data",
        data,
        "--upload",
        folder.resolve("in").toString(),
        "--out",
        Files.createTempDirectory(folder, "run").resolve("out").toString());
  }

  private Shell.Ran weir(Path conf, String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>();
    command.add(Distribution.built().weir().toString());
    command.addAll(List.of(arguments));
    return Shell.run(command, Map.of("HADOOP_CONF_DIR", conf.toString()), folder);
  }

  /** An intermediate file with one reader has one replica by its hint, and two in stock HDFS. */
  private void assertHinted(String path) throws IOException {
    assertThat(files.replication(path)).as(path).isEqualTo(1);
  }

  private String text(String path) throws IOException {
    try (var in = files.fs().open(new org.apache.hadoop.fs.Path(path))) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }
}
