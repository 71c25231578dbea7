package dev.weir.cli.steer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes what a run does. */
abstract class SteerBase extends RunsBase {
  /** How long to wait for the answer of the ApplicationMaster, which polls once a second. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  @Parameters(index = "0", paramLabel = "RUN", description = RUN)
  private String name;

  @Parameters(index = "1", arity = "0..1", paramLabel = "TASKGLOB", description = TASKS)
  private @Nullable String tasks;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  void requireUsable() {
    if (name.isBlank()) {
      throw unusable("RUN is empty: name the run, or write 'last'");
    }
    if (tasks != null && tasks.isEmpty()) {
      // An unset shell variable would otherwise pause or cancel the whole run.
      throw unusable("TASKGLOB is empty: name tasks, or leave it out if you mean the whole run");
    }
  }

  /** Returns the pattern of the tasks; empty for the whole run. */
  final String tasks() {
    return tasks == null ? "" : tasks;
  }

  @Override
  final int run(Runs runs) throws IOException, InterruptedException {
    return steer(runs.find(name), tasks());
  }

  /** Runs the command and returns the exit code. */
  abstract int steer(KnownRun run, String taskGlob) throws IOException, InterruptedException;

  /** Sends a steering request and prints the answer. */
  final int send(KnownRun run, Steering wish) throws IOException, InterruptedException {
    SteeringAnswer answer = run.steer(wish, PATIENCE);
    tell(run, answer);
    return answer.tasks() == 0 && !wish.tasks().isEmpty() ? ExitCode.NOT_FOUND : ExitCode.DONE;
  }

  final void tell(KnownRun run, SteeringAnswer answer) {
    if (json) {
      out()
          .println(
              Json.pretty(
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("run", run.id().toString())
                      .put("tasks", answer.tasks())
                      .put("answer", answer.text())));
    } else {
      out().println(run.id() + ": " + PrintableText.of(answer.text()));
    }
  }
}
