package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which session a command is for; the only one needs no naming. */
final class SessionChoice {

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
          "How long the session may not answer, as while its ApplicationMaster is started anew"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration patience;

  @Mixin private ClientConfiguration cluster;

  /** What a command wants of a session. */
  interface Errand {
    int run(JobClient client) throws IOException, InterruptedException;
  }

  /** Talks to the session. */
  int with(Errand errand) throws IOException, InterruptedException {
    return with(null, errand);
  }

  /** Talks to the session that was given by name, or else by option. */
  int with(@Nullable String given, Errand errand) throws IOException, InterruptedException {
    try (Sessions sessions = sessions()) {
      return errand.run(sessions.client(sessions.find(named(given)), patience));
    }
  }

  Sessions sessions() throws IOException {
    return Sessions.open(cluster.load());
  }

  String named() {
    return named(null);
  }

  /**
   * Which session is meant.
   *
   * @param given what was given before this option; null for nothing
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

  Duration patience() {
    return patience;
  }
}
