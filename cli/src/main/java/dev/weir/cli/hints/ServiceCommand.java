package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.Answer;
import dev.weir.hints.client.http.ServiceCall;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that asks the hints service. */
abstract class ServiceCommand implements Callable<Integer> {
  /** The help text about exit codes. */
  static final String CODES =
      "Exit code: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused, 5 service away.";

  @Spec private CommandSpec spec;
  @Mixin private ServiceChoice service;

  @Option(names = "--json", description = "Print the service's JSON.")
  private boolean json;

  @Override
  public final Integer call() throws IOException {
    Configuration configuration = service.configuration();
    try (HintsClient client = service.open(configuration)) {
      return run(client, new HdfsPaths(configuration));
    } finally {
      out().flush();
    }
  }

  /** Runs the command and returns the exit code. */
  abstract int run(HintsClient client, HdfsPaths paths) throws IOException;

  /** Formats an answer for the terminal. */
  interface Words {
    /** Returns lines, each with a line end. */
    String of(JsonNode json) throws IOException;
  }

  /** Sends a call and prints the answer as text or JSON. */
  final Answer tell(HintsClient client, ServiceCall call, Words words) throws IOException {
    Answer answer = client.send(call);
    tell(answer.json(), words);
    return answer;
  }

  final int tell(JsonNode answer, Words words) throws IOException {
    if (!json) {
      out().print(words.of(answer));
    } else if (!answer.isMissingNode()) {
      out().println(Json.pretty(answer));
    }
    return ExitCode.DONE;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a warning on the error stream. */
  final void warn(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("weir: " + line);
    err.flush();
  }

  final CommandSpec spec() {
    return spec;
  }
}
