package dev.weir.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.cluster.LocalCluster;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Unmodified PySpark programs on this machine, with Spark's own Hadoop client and the plugins. */
public final class PySpark {
  /** {@code .ci/nightly} puts it there. */
  private static final Path PYTHON = Path.of("../target/pyspark/bin/python");

  private PySpark() {}

  /**
   * Runs a program of {@code benchmarks/pyspark} until it ends. Skips the test if PySpark is
   * missing.
   *
   * @param folder for files of the programs
   */
  public static void submit(LocalCluster cluster, Path folder, String program, String... arguments)
      throws Exception {
    assumeThat(PYTHON).as("a Python with PySpark").isExecutable();
    String python = PYTHON.toAbsolutePath().toString();
    String find = "import pyspark; print(pyspark.__path__[0])";
    String home = run(List.of(python, "-c", find), Map.of(), folder).strip();
    String plugins =
        Distribution.built().plugins().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>(List.of(home + "/bin/spark-submit"));
    command.addAll(List.of("--master", "local[2]", "--driver-class-path", plugins));
    command.add(Path.of("../benchmarks/pyspark", program).toAbsolutePath().toString());
    command.addAll(List.of(arguments));
    Map<String, String> environment = new HashMap<>();
    environment.put("SPARK_HOME", home);
    environment.put("PYSPARK_PYTHON", python);
    environment.put("HADOOP_CONF_DIR", cluster.confDir().toString());
    String unused = run(command, environment, folder);
  }

  private static String run(List<String> command, Map<String, String> environment, Path folder)
      throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    int exit = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start().waitFor();
    String text = Files.readString(output);
    assertThat(exit).as(text).isZero();
    return text;
  }
}
