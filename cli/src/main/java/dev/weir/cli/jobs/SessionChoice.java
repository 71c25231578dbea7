package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that choose a session. */
final class SessionChoice {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--session",
      paramLabel = "SESSION",
      description = "Id or name of the session (default: WEIR_SESSION, else your only one).")
  private @Nullable String session;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = TimeSpanConverter.class,
      description =
          "How long to wait for a session that does not answer, for example while its"
              + " ApplicationMaster restarts (default: ${DEFAULT-VALUE}).")
  private Duration patience;

  @Mixin private ClientConfiguration cluster;

  /**
   * A call of a session.
   *
   * @param <T> what it returns
   */
  interface Call<T> {
    T on(JobClient client) throws IOException, InterruptedException;
  }

  /** Calls the chosen session. */
  <T> T with(Call<T> call) throws IOException, InterruptedException {
    return with(null, call);
  }

  /** Calls the session with the given name, or the chosen one. */
  <T> T with(@Nullable String given, Call<T> call) throws IOException, InterruptedException {
    try (Sessions sessions = sessions()) {
      return call.on(sessions.client(sessions.find(named(given)), patience));
    }
  }

  Sessions sessions() throws IOException {
    return Sessions.open(cluster.load());
  }

  String named() {
    return named(null);
  }

  /**
   * Returns the name or id of the session.
   *
   * @param given takes precedence over the option; may be null
   */
  String named(@Nullable String given) {
    if (given != null) {
      return given;
    }
    if (session != null) {
      return session;
    }
    String variable = System.getenv("WEIR_SESSION");
    return variable == null ? "" : variable.strip();
  }

  /** Returns the command that has these options. */
  CommandLine command() {
    return spec.commandLine();
  }

  Duration patience() {
    return patience;
  }
}
