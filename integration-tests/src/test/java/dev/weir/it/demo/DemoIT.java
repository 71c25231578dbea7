package dev.weir.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.it.Distribution;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code weir demo} with small inputs, beside the tests of the shared cluster. */
@Execution(ExecutionMode.CONCURRENT)
class DemoIT {
  @TempDir private Path folder;

  @Test
  void realProgramsMakeTheSameMosaicWithAndWithoutHints() throws Exception {
    runDemo(List.of("stock", "weir"), "--tiles", "2", "--modes", "stock,weir");
  }

  @Test
  @Tag("nightly")
  void realProgramsMakeTheSameMosaicInEveryMode() throws Exception {
    runDemo(List.of("stock", "locality", "weir"), "--tiles", "4");
  }

  private void runDemo(List<String> modes, String... options) throws Exception {
    assumeTrue(
        hasMontage(System.getenv("PATH")),
        "needs the Montage programs: apt-get install montage montage-gridtools");

    List<String> arguments = new ArrayList<>(List.of("--nodes", "3"));
    arguments.addAll(List.of(options));

    JsonNode summary = demo(System.getenv("PATH"), arguments.toArray(String[]::new));

    assertThat(summary.path("realPrograms").asBoolean()).isTrue();
    assertThat(summary.path("identicalToSequential").asBoolean()).isTrue();
    for (String mode : modes) {
      JsonNode numbers = summary.path("modes").path(mode);
      assertThat(numbers.path("makespanSeconds").asDouble()).as(mode).isPositive();
      assertThat(numbers.path("tasks").asInt())
          .as(mode)
          .isEqualTo(summary.path("modes").path("stock").path("tasks").asInt())
          .isPositive();
      assertThat(Files.size(out().resolve(mode).resolve("mosaic.fits"))).isPositive();
    }
    assertThat(localShare(summary, "weir"))
        .as("share of local input bytes in weir mode; a third would be local by chance")
        .isGreaterThan(0.5);
    assertThat(networkBytes(summary, "weir"))
        .as("network bytes; stock writes three replicas of all files")
        .isLessThan(networkBytes(summary, "stock"));
    assertThat(Files.readString(out().resolve("report.html"))).contains("<html", "mProject");
    assertThat(out().resolve("mosaic.png")).isNotEmptyFile();
  }

  @Test
  @Tag("nightly")
  void withoutTheProgramsStandInsRunTheSameGraph() throws Exception {
    Path programs = Files.createDirectory(folder.resolve("programs"));
    linkAllButMontage(programs);

    JsonNode summary = demo(programs.toString(), "--nodes", "2", "--tiles", "2", "--modes", "weir");

    assertThat(summary.path("realPrograms").asBoolean()).isFalse();
    assertThat(summary.path("identicalToSequential").asBoolean()).isFalse();
    assertThat(summary.path("modes").path("weir").path("tasks").asInt()).isPositive();
    assertThat(Files.readString(log())).contains("apt-get install montage montage-gridtools");
    try (Stream<Path> links = Files.list(programs)) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
  }

  private JsonNode demo(String path, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Distribution.built().weir().toString());
    command.add("demo");
    command.addAll(List.of(arguments));
    command.addAll(List.of("--out", out().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log().toFile());
    builder.environment().put("PATH", path);
    int exit = builder.start().waitFor();
    assertThat(exit).as(Files.readString(log())).isZero();
    return new ObjectMapper().readTree(out().resolve("summary.json").toFile());
  }

  private static double localShare(JsonNode summary, String mode) {
    JsonNode numbers = summary.path("modes").path(mode);
    double local = numbers.path("inputBytesLocal").asDouble();
    return local / (local + numbers.path("inputBytesRemote").asDouble());
  }

  private static long networkBytes(JsonNode summary, String mode) {
    JsonNode numbers = summary.path("modes").path(mode);
    return numbers.path("inputBytesRemote").asLong() + numbers.path("outputBytesRemote").asLong();
  }

  private static boolean hasMontage(String path) {
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(directory -> new File(directory, "mProject").canExecute());
  }

  /** Links all other programs, because Montage's are in the same directories. */
  private static void linkAllButMontage(Path programs) throws Exception {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      File[] files = new File(directory).listFiles();
      for (File file : files == null ? new File[0] : files) {
        Path link = programs.resolve(file.getName());
        if (!file.getName().matches("m[A-Z].*") && !Files.isSymbolicLink(link)) {
          Files.createSymbolicLink(link, file.toPath());
        }
      }
    }
  }

  private Path out() {
    return folder.resolve("out");
  }

  private Path log() {
    return folder.resolve("demo.log");
  }
}
