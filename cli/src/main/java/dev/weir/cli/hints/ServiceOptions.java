package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.Answer;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.hints.client.http.ServiceCall;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of commands that ask the hints service. */
final class ServiceOptions {
  /** The help text about exit codes. */
  static final String CODES =
      "Exit code: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused, 5 service away.";

  private static final String NO_CLUSTER =
      "No cluster is configured: start a local cluster with 'weir cluster start', set"
          + " HADOOP_CONF_DIR to the configuration of a cluster, or name its hints service with"
          + " --server";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ClientConfiguration cluster;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "Address of the hints service; several with commas between them (default:"
              + " weir.server.url of the cluster).")
  private @Nullable String server;

  @Option(names = "--json", description = "Print the service's JSON.")
  private boolean json;

  /** What a command does. */
  interface Work {
    /** Returns the exit code. */
    int run(HintsClient client, HdfsPaths paths) throws IOException;
  }

  /** Does the work with a client of the service, and returns its exit code. */
  int run(Work work) throws IOException {
    Configuration configuration = server == null ? cluster.load() : cluster.loadIfClear();
    if (server != null) {
      configuration.set(ClientSettings.URL_KEY, server);
    }
    try (HintsClient client = open(configuration)) {
      return work.run(client, new HdfsPaths(configuration));
    }
  }

  static HintsClient open(Configuration configuration) throws IOException {
    ClientSettings settings = ClientSettings.from(configuration);
    if (settings.urls().isEmpty()) {
      throw HdfsPaths.isWithoutCluster(configuration)
          ? HintsServiceException.away(NO_CLUSTER, null)
          : HintsServiceException.unconfigured();
    }
    UserGroupInformation.setConfiguration(configuration);
    return HintsClient.open(configuration, settings, UserGroupInformation.getCurrentUser());
  }

  /** Formats an answer for the terminal. */
  interface Words {
    /** Returns lines, each with a line end. */
    String of(JsonNode json) throws IOException;
  }

  /** Sends a call and prints the answer as text or JSON. */
  Answer tell(HintsClient client, ServiceCall call, Words words) throws IOException {
    Answer answer = client.send(call);
    tell(answer.json(), words);
    return answer;
  }

  int tell(JsonNode answer, Words words) throws IOException {
    if (!json) {
      out().print(words.of(answer));
    } else if (!answer.isMissingNode()) {
      out().println(Json.pretty(answer));
    }
    return ExitCode.DONE;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a warning on the error stream. */
  void warn(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("weir: " + line);
    err.flush();
  }

  CommandSpec spec() {
    return spec;
  }
}
