package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/engines.md} that submit a job and wait, as they are written. */
@ExtendWith(ClusterExtension.class)
class EnginesPageIT {

  private static final String INDENT = "    ";

  @TempDir private Path folder;

  @Test
  void jobIsSubmittedInPythonJavaWithCurlAndByCommand(LocalCluster cluster) throws Exception {
    Shell shell = new Shell(cluster, folder);
    Shell.Ran started = shell.weir("session", "start", "--name", "engines", "--workers", "1");
    assertThat(started.code()).as(started.toString()).isZero();
    try {
      List<String> job =
          List.of(
              Distribution.built().weir().toString(),
              "job",
              "run",
              "--cluster",
              cluster.dir().toString(),
              "--session",
              "engines",
              "--",
              "echo",
              "hello");
      assertThat(Shell.run(job, Map.of(), folder).out()).isEqualTo("hello\n");
      Path hdfs = folder.resolve("hdfs");
      Files.writeString(
          hdfs,
          "#!/bin/sh\nexec "
              + Distribution.built().weir()
              + " cluster hdfs --dir "
              + cluster.dir()
              + " \"$@\"\n");
      assertThat(hdfs.toFile().setExecutable(true)).isTrue();
      for (List<String> program : List.of(List.of("python3", "-c"), List.of("bash", "-c"))) {
        String heading = program.contains("bash") ? "With curl:" : "In Python, after";
        Shell.Ran ran =
            Shell.run(
                List.of(
                    program.get(0),
                    program.get(1),
                    example(heading)
                        .replace(".weir/sessions/*/", ".weir/sessions/" + id(started) + "/")),
                Map.of("PATH", folder + ":" + System.getenv("PATH")),
                folder);
        assertThat(ran.out()).as(ran.toString()).contains("succeeded", "hello");
      }
      assertThat(java(cluster).out()).contains("hello");
    } finally {
      shell.weir("session", "stop", "engines");
    }
  }

  private Shell.Ran java(LocalCluster cluster) throws Exception {
    Path source = folder.resolve("Job.java");
    Files.writeString(source, example("In Java, as").replace("find(\"\")", "find(\"engines\")"));
    Path home = Distribution.built().weir().getParent().getParent();
    String classPath =
        Stream.of("lib", "plugins", "hadoop")
            .map(part -> home.resolve(part) + "/*")
            .collect(Collectors.joining(":"));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classPath + ":" + cluster.confDir(),
            source.toString());
    return Shell.run(command, Map.of(), folder);
  }

  private static String id(Shell.Ran started) {
    return started.out().strip();
  }

  /** Returns the indented lines behind a line. */
  private static String example(String heading) throws Exception {
    return Files.readAllLines(Path.of("../docs/engines.md")).stream()
        .dropWhile(line -> !line.startsWith(heading))
        .dropWhile(line -> !line.startsWith(INDENT))
        .takeWhile(line -> line.startsWith(INDENT))
        .map(line -> line.substring(INDENT.length()))
        .collect(Collectors.joining("\n"));
  }
}
