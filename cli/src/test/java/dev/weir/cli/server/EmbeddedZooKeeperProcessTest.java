package dev.weir.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code weir server --embedded-zookeeper DIR} as a process of its own, over the local file system:
 * acknowledged changes survive kill -9.
 */
class EmbeddedZooKeeperProcessTest {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final Pattern ANNOUNCED = Pattern.compile("The hints service is at (http://\\S+)");

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void hintSurvivesTheServersDeath() throws Exception {
    List<String> command = command();
    Path firstLog = folder.resolve("first.log");
    Process first = start(command, firstLog);
    URI before = awaitAddress(first, firstLog);
    String data = folder.resolve("data").toString();
    String hints = "/v1/hints?path=" + data + "&user.name=" + System.getProperty("user.name");
    String written =
        curl("-X", "PUT", "-H", "Content-Type: text/plain", "-d", "pipeline", before + hints);
    assertThat(written).contains("\"rules\":1");
    String run = "/v1/runs/killed?user.name=" + System.getProperty("user.name");
    String head =
        "{\"workflow\":\"w\",\"mode\":\"weir\",\"state\":\"RUNNING\",\"data-dir\":\"/tmp\","
            + "\"stand-in\":false,\"started\":\"2026-11-21T10:00:00Z\"}";
    String json = "Content-Type: application/json";
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(curl("-X", "PUT", "-H", json, "-d", head, before + run))
                    .contains("RUNNING"));
    // SIGKILL: nothing is closed in order.
    first.destroyForcibly().waitFor();

    Path secondLog = folder.resolve("second.log");
    URI after = awaitAddress(start(command, secondLog), secondLog);
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(curl(after + "/v1/hints?path=" + data))
                    .contains("\"text\":\"pipeline\""));
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () ->
                assertThat(curl(after + run))
                    .as("an acknowledged run")
                    .contains("\"workflow\":\"w\""));
    assertThat(Files.readString(firstLog) + Files.readString(secondLog))
        .as("no log lines about resources that need no reflection")
        .doesNotContain("Providers");
  }

  private List<String> command() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : List.of("lang", "util", "net", "io", "nio")) {
      command.add("--add-opens=java.base/java." + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.weir.cli.Weir", "server", "--port", "0"));
    command.addAll(List.of("--embedded-zookeeper", folder.resolve("zookeeper").toString()));
    Map<String, String> properties =
        Map.of(
            "fs.defaultFS", "file:///",
            "weir.zookeeper.quorum", "127.0.0.1:" + port,
            "weir.server.http-address", "127.0.0.1:0",
            "weir.server.database.url", "jdbc:h2:" + folder.resolve("runs"),
            "weir.server.reconciler.enabled", "false");
    properties.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
    return command;
  }

  private Process start(List<String> command, Path log) throws IOException {
    File conf = Files.createDirectories(folder.resolve("conf")).toFile();
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_CONF_DIR", conf.toString());
    Process process = builder.redirectOutput(log.toFile()).start();
    started.add(process);
    return process;
  }

  private static URI awaitAddress(Process process, Path log) {
    Matcher[] found = new Matcher[1];
    await()
        .atMost(DEADLINE)
        .failFast("the server ended", () -> !process.isAlive())
        .until(
            () -> {
              found[0] = ANNOUNCED.matcher(Files.readString(log));
              return found[0].find();
            });
    return URI.create(found[0].group(1));
  }

  private static String curl(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
