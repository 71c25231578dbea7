package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code build-once.sh} in a checkout with a fake Maven that records its calls. */
class BuildOnceTest {

  /** Blocks the build until it is released, so that other builds start meanwhile. */
  private static final String MAVEN =
      """
      #!/bin/sh
      echo "$*" >> "$CALLS"
      until [ -e "$GO_ON" ] || [ ! -e "$CALLS" ]; do sleep 0.02; done
      if [ -e "$GO_ON.wrong" ]; then echo "no such symbol"; exit 1; fi
      """;

  private static final String COMMAND =
      "set -e; source \"$1\"; build_once \"$2\" \"${@:3}\"; echo built";

  /** The resolution of modification times of coarse file systems. */
  private static final int TICK_MILLIS = 20;

  @TempDir private Path temp;
  private Path root;
  private Path source;
  private Path calls;
  private Path release;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void makeCheckout() throws IOException {
    root = Files.createDirectories(temp.resolve("check out"));
    source = root.resolve("cli/src/main/A.java");
    calls = temp.resolve("calls");
    release = temp.resolve("go-on");
    Files.createDirectories(source.getParent());
    Files.createDirectories(root.resolve("benchmarks"));
    for (Path file : List.of(root.resolve("pom.xml"), root.resolve("cli/pom.xml"), source, calls)) {
      Files.createFile(file);
    }
    Path maven = Files.createDirectories(temp.resolve("bin")).resolve("mvn");
    Files.writeString(maven, MAVEN);
    Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void concurrentCallerWaitsForTheBuildAndBuildsNothing() throws Exception {
    Process first = build("cli");
    await().until(() -> calls().size() == 1);
    Process second = build("cli");
    Process third = build("benchmarks", "more");
    await().until(() -> isWaiting(second) && isWaiting(third));
    Files.createFile(release);

    assertThat(outputOf(first)).contains("building").endsWith("built\n");
    assertThat(outputOf(second)).isEqualTo("weir: waiting for another build ...\nbuilt\n");
    assertThat(outputOf(third)).endsWith("built\n");
    assertThat(calls()).hasSize(2).last().asString().contains("-pl benchmarks -am package more");
  }

  @Test
  void buildWithBenchmarksIsNotRepeated() throws Exception {
    Files.createFile(release);

    outputOf(build("benchmarks"));
    outputOf(build("benchmarks"));
    outputOf(build("cli"));

    assertThat(calls()).hasSize(1);
  }

  @Test
  void sourceSavedDuringABuildIsBuiltByTheNextOne() throws Exception {
    Process first = build("cli");
    await().until(() -> calls().size() == 1);
    Files.setLastModifiedTime(source, FileTime.from(Instant.now()));
    Instant saved = Instant.now();
    await().until(() -> Instant.now().isAfter(saved.plusMillis(TICK_MILLIS)));
    Files.createFile(release);
    outputOf(first);

    outputOf(build("cli"));

    assertThat(calls()).hasSize(2);
  }

  @Test
  void failedBuildIsShownAndRepeated() throws Exception {
    Files.createFile(release);
    Path wrong = Files.createFile(temp.resolve("go-on.wrong"));
    Process failing = build("cli");

    assertThat(outputOf(failing))
        .contains("no such symbol", "the build failed; see cli/target/weir-build.log")
        .doesNotContain("built\n");
    assertThat(failing.exitValue()).isEqualTo(1);

    Files.delete(wrong);
    assertThat(outputOf(build("cli"))).endsWith("built\n");
  }

  private static boolean isWaiting(Process process) {
    return process
        .descendants()
        .anyMatch(child -> child.info().command().orElse("").endsWith("/flock"));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(calls);
  }

  private Process build(String... module) throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", "-c", COMMAND, "bash"));
    command.add(Path.of("build-once.sh").toAbsolutePath().toString());
    command.add(root.toString());
    command.addAll(List.of(module));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", temp + "/bin", (path, ours) -> ours + File.pathSeparator + path);
    builder.environment().put("CALLS", calls.toString());
    builder.environment().put("GO_ON", release.toString());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** Returns the output up to the end of the process. */
  private static String outputOf(Process process) throws IOException, InterruptedException {
    String outputOf = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return outputOf;
  }
}
