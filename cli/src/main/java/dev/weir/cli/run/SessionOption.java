package dev.weir.cli.run;

import dev.weir.workflow.client.SessionSubmitter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for a running session that runs the workflow. */
final class SessionOption {

  /** Options that are fixed when a session starts. */
  private static final List<String> OF_SESSIONS =
      List.of(
          "--workers",
          "--worker-cores",
          "--worker-memory",
          "--look-ahead",
          "--idle",
          "--cache",
          "--large",
          "--slots",
          "--master-memory",
          "--replication",
          "--queue",
          "--node-label",
          "--max-time",
          "--tag",
          "--view-acl",
          "--modify-acl");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--session",
      paramLabel = "SESSION",
      description =
          "Name or id of your running session that shall run the workflow on its workers, 'auto' for"
              + " your only one, or a live run of yours (default: a new session, which ends with the"
              + " run). See 'weir help session'.")
  private @Nullable String name;

  /**
   * Returns the session.
   *
   * @return as it was given: a name, an id or {@link SessionSubmitter#AUTO}; null for none
   * @throws ParameterException if it is empty, or is given with an option that is fixed when a
   *     session starts
   */
  @Nullable String named() {
    if (name == null) {
      return null;
    }
    if (name.isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--session is empty: name one, write 'auto', or leave it out");
    }
    for (String option : OF_SESSIONS) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(),
            option
                + " is for a session that is started, and "
                + name
                + " is up: leave it out, or give it to 'weir session start'");
      }
    }
    return name;
  }
}
