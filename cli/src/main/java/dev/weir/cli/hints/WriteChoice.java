package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.store.HintStore;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options for waiting until the NameNode has applied a change. */
final class WriteChoice {
  @Option(
      names = "--await",
      description = "Wait until the NameNode has applied the change; exit with 1 after --timeout.")
  private boolean await;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = TimeSpanConverter.class,
      description = "How long --await waits at most (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  WriteOptions options() {
    return await ? WriteOptions.awaiting(timeout) : WriteOptions.NONE;
  }

  /** Returns the end of a line about the change. */
  String words(JsonNode answer) {
    String version = ", version " + answer.path("version").asText("?");
    return isApplied(answer) ? version + ", applied by the NameNode" : version;
  }

  /** Prints why the change is not applied yet; returns the exit code. */
  int code(JsonNode answer, ServiceOptions command) {
    for (JsonNode warning : answer.path("warnings")) {
      command.warn(warning.asText());
    }
    if (!await || isApplied(answer)) {
      return ExitCode.DONE;
    }
    command.warn(
        "it is written, but "
            + (isFollowed(answer)
                ? "the NameNode has not applied it within " + timeout.toMillis() / 1000.0 + " s"
                : "no NameNode follows the hints")
            + ": see 'weir hints watchers'");
    return ExitCode.FAILED;
  }

  private static boolean isFollowed(JsonNode answer) {
    for (JsonNode watcher : answer.path("watchers")) {
      if (watcher.path("role").asText("").equals(HintStore.ROLE_NAMENODE)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isApplied(JsonNode answer) {
    return answer.path("applied").asBoolean(false);
  }
}
