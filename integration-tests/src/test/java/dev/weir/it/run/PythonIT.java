package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples for Python and Snakemake, in a session on a real cluster. */
class PythonIT extends SessionRuns {
  private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();
  private static final Path PAGE = Path.of("../docs/python.md");

  /** Made by {@code python/run-tests}. */
  private static final Path VENV = Path.of("../target/venv").toAbsolutePath().normalize();

  PythonIT() {
    super("python");
  }

  @BeforeEach
  void startSessionForPython() throws Exception {
    assumeThat(VENV.resolve("bin/snakemake"))
        .as("Python packages: install them with 'python/run-tests --install-only'")
        .exists();
    startSession();
  }

  @Test
  void snakemakeMakesTheSameBytesAsItsLocalExecutor() throws Exception {
    assertThat(run(EXAMPLES.resolve("snakemake/run").toString()))
        .contains("the same with both executors");
  }

  @Test
  void pythonRunsTheExampleAndTheFirstLinesOfThePage() throws Exception {
    assertThat(run(EXAMPLES.resolve("python/run").toString()))
        .contains("words, as counted here; added on");
    String lines =
        Files.readAllLines(PAGE).stream()
            .dropWhile(line -> !line.equals("```python"))
            .skip(1)
            .takeWhile(line -> !line.equals("```"))
            .collect(Collectors.joining("\n"))
            .replace("connect()) as", "connect('" + session + "')) as");
    assertThat(run(VENV.resolve("bin/python").toString(), "-c", lines))
        .startsWith("succeeded on n");
  }

  /** Runs a command with the cluster and the session, and returns its output. */
  private String run(String... command) throws IOException, InterruptedException {
    Map<String, String> environment =
        Map.of(
            "HADOOP_CONF_DIR", cluster.dir().resolve("conf").toString(),
            "WEIR_SESSION", session,
            "WEIR_VENV", VENV.toString());
    Shell.Ran ran = Shell.run(List.of(command), environment, folder);
    assertThat(ran.code()).as(ran.toString()).isZero();
    return ran.out();
  }
}
