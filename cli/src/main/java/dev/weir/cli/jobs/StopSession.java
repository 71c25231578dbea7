package dev.weir.cli.jobs;

import dev.weir.workflow.client.Sessions;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "stop",
    description =
        "Stops a session. Workflows and jobs that have not ended are cancelled unless"
            + " --when-idle is given.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir session stop --when-idle"})
final class StopSession implements Callable<Integer> {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SESSION",
      description = "Id or name of the session; the same as --session.")
  private @Nullable String name;

  @Mixin private SessionChoice choice;

  @Option(
      names = "--when-idle",
      description =
          "Accept no more workflows and jobs, and stop when the accepted ones have ended.")
  private boolean whenIdle;

  @Option(
      names = "--kill",
      description =
          "Kill the session through YARN. Your next session deletes its unfinished" + " outputs.")
  private boolean kill;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (kill) {
      try (Sessions sessions = choice.sessions()) {
        sessions.kill(sessions.find(choice.named(name)));
        return 0;
      }
    }
    return choice.with(
        name,
        client -> {
          client.stop(whenIdle);
          return 0;
        });
  }
}
