package dev.weir.it.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.HintStore;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.it.PySpark;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unmodified programs that write under temporary names and rename: their files follow the hint of
 * the final path. Spark has Hadoop's shaded client.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitPathsIT {
  private static final String SET = "commit-paths-it";
  private static final long BLOCK = 2 << 20;
  private static final long ROW_GROUP = 128 << 20;

  @TempDir private Path folder;
  private LocalCluster cluster;
  private HdfsFiles files;
  private HintStore store;

  @BeforeAll
  void start() throws Exception {
    ClusterSpec spec =
        ClusterSpec.builder(HadoopJars.ofDistribution(Distribution.built().home()))
            .nodes(3)
            .hosts(ClusterExtension.hosts())
            // The tasks of MapReduce run in its ApplicationMaster.
            .configuration("yarn.am.liveness-monitor.expiry-interval-ms", "120000")
            .build();
    cluster = LocalCluster.start(spec, step -> System.out.println("commit paths: " + step));
    files = new HdfsFiles(cluster);
    store = HdfsFiles.openHints(cluster);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      store.close();
      files.fs().close();
      cluster.close();
    }
  }

  @AfterEach
  void removeHints() throws Exception {
    store.remove(SET);
  }

  @Test
  void sparkFollowsTheHintOfTheCommittedPath() throws Exception {
    hint("/spark/**");

    PySpark.submit(cluster, folder, "write_hinted.py", "/spark");

    assertHinted("/spark/text", 4, BLOCK);
    // Parquet itself asks for blocks that hold a row group.
    assertHinted("/spark/parquet", 4, ROW_GROUP);
  }

  @Test
  void mapReduceFollowsTheHintOfTheCommittedPath() throws Exception {
    hint("/mapreduce/**");
    List<Path> jars = mapReduceJars();
    String tasks = jars.stream().map(Path::toString).collect(Collectors.joining(","));
    List<String> options = new ArrayList<>(List.of("teragen"));
    options.add("-Dmapreduce.framework.name=yarn");
    options.add("-Dmapreduce.application.classpath=" + tasks);
    options.add("-Dmapreduce.job.ubertask.enable=true");
    options.add("-Dmapreduce.job.maps=2");
    options.add("-Dyarn.app.mapreduce.am.staging-dir=/user");
    options.add("-Dyarn.app.mapreduce.am.resource.mb=512");
    options.add("-Dyarn.app.mapreduce.am.command-opts=-Xmx300m");
    options.add("-Dmapreduce.map.memory.mb=512");
    options.add("-Dmapreduce.reduce.memory.mb=512");
    options.addAll(List.of("50000", "/mapreduce/out"));

    // Its exit code is that of a question to the history server, which the cluster does not have.
    String said = java(jars, "org.apache.hadoop.examples.ExampleDriver", options);

    assertThat(files.fs().exists(new org.apache.hadoop.fs.Path("/mapreduce/out/_SUCCESS")))
        .as(said)
        .isTrue();
    assertHinted("/mapreduce/out", 2, BLOCK);
  }

  @Test
  void distCpFollowsTheHintOfTheTargetDirectory() throws Exception {
    Path local = Files.write(folder.resolve("original"), new byte[3 << 20]);
    files.put("n1", local, "/originals");
    org.apache.hadoop.fs.Path original = new org.apache.hadoop.fs.Path("/originals/original");
    hint("/copies/**");

    String said =
        java(
            mapReduceJars(),
            "org.apache.hadoop.tools.DistCp",
            List.of("-Dmapreduce.framework.name=local", "/originals/original", "/copies/copy"));

    assertThat(files.fs().exists(new org.apache.hadoop.fs.Path("/copies/copy"))).as(said).isTrue();
    // With another block size than that of the original, DistCp would fail.
    assertHinted("/copies", 1, files.fs().getDefaultBlockSize(original));
  }

  private void hint(String pattern) throws Exception {
    Rule rule =
        new Rule(PathPattern.parse(pattern), HintText.parse("nodes=n2,replicas=1,block=2m"));
    files.hint(store, new HintSet(SET, "it", null, List.of(rule)));
  }

  private void assertHinted(String directory, int count, long blockSize) throws IOException {
    List<FileStatus> written =
        Arrays.stream(files.fs().listStatus(new org.apache.hadoop.fs.Path(directory)))
            .filter(file -> !file.getPath().getName().startsWith("_"))
            .toList();
    assertThat(written).as(directory).hasSize(count);
    for (FileStatus file : written) {
      String path = file.getPath().toUri().getPath();
      assertThat(file.getReplication()).as(path).isEqualTo((short) 1);
      assertThat(file.getBlockSize()).as(path).isEqualTo(blockSize);
      assertThat(files.hosts(path)).as(path).containsExactly("n2");
    }
  }

  private List<Path> mapReduceJars() throws Exception {
    Path list = folder.resolve("classpath");
    if (Files.notExists(list)) {
      List<String> maven = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-q", "-f"));
      maven.add(Path.of("../benchmarks/mapreduce/pom.xml").toAbsolutePath().toString());
      maven.add("dependency:build-classpath");
      maven.add("-Dmdep.outputFile=" + list);
      String unused = run(maven);
    }
    return Arrays.stream(Files.readString(list).strip().split(File.pathSeparator))
        .map(Path::of)
        .filter(jar -> jar.getFileName().toString().matches("hadoop-(mapreduce|distcp)-.*"))
        .toList();
  }

  private String java(List<Path> jars, String program, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(cluster.jars().java() + "/bin/java");
    String classPath =
        Stream.concat(jars.stream(), cluster.jars().hadoopJars().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    command.addAll(
        List.of("-cp", String.join(":", cluster.confDir().toString(), classPath, plugins())));
    command.add(program);
    command.addAll(arguments);
    return output(command).text();
  }

  private static String plugins() {
    return Distribution.built().plugins().stream()
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private String run(List<String> command) throws Exception {
    HdfsFiles.Ran ran = output(command);
    assertThat(ran.exit()).as(ran.text()).isZero();
    return ran.text();
  }

  private HdfsFiles.Ran output(List<String> command) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("HADOOP_CONF_DIR", cluster.confDir().toString());
    int exit = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start().waitFor();
    return new HdfsFiles.Ran(exit, Files.readString(output));
  }
}
