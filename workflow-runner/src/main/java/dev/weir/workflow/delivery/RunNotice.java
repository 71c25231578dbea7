package dev.weir.workflow.delivery;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The notification of a webhook or a command that a run has ended.
 *
 * @param done number of tasks that were run with success
 * @param reused number of tasks that an earlier run had done
 * @param failedAttempts number of attempts that failed or were lost
 * @param failure the first permanent failure, in one line; empty for success
 */
public record RunNotice(
    String run,
    String workflow,
    RunState state,
    Instant started,
    Instant ended,
    int tasks,
    int done,
    int reused,
    int failedAttempts,
    String failure) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Returns the notice of a run.
   *
   * @param failure the failure in one line; empty for success
   */
  public static RunNotice of(RunRecord record, int tasks, String failure) {
    return new RunNotice(
        record.runId(),
        record.workflow(),
        record.state(),
        record.started(),
        record.ended(),
        tasks,
        (int)
            record.tasks().stream()
                .filter(task -> task.outcome() == Outcome.SUCCEEDED)
                .map(TaskRecord::task)
                .distinct()
                .count(),
        record.reused().size(),
        (int)
            record.tasks().stream()
                .filter(task -> task.outcome() == Outcome.FAILED || task.outcome() == Outcome.LOST)
                .count(),
        failure);
  }

  /** Returns one line for a person. Chat services show it. */
  String text() {
    return String.format(
        Locale.ROOT,
        "Weir: %s (%s) %s after %d s, %d of %d tasks done%s",
        workflow,
        run,
        state.toString().toLowerCase(Locale.ROOT),
        Duration.between(started, ended).toSeconds(),
        done + reused,
        tasks,
        failure.isEmpty() ? "" : ": " + failure);
  }

  /** Returns the document that webhooks get. */
  String toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("run", run).put("workflow", workflow).put("state", state.toString());
    json.put("started", started.toString()).put("ended", ended.toString());
    json.put("tasks", tasks).put("tasks-done", done).put("tasks-reused", reused);
    json.put("failed-attempts", failedAttempts);
    if (!failure.isEmpty()) {
      json.put("failure", failure);
    }
    return json.put("text", text()).toString();
  }

  /** Returns the variables that commands get. */
  public Map<String, String> toEnvironment() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("WEIR_RUN", run);
    variables.put("WEIR_WORKFLOW", workflow);
    variables.put("WEIR_STATE", state.toString());
    variables.put("WEIR_STARTED", started.toString());
    variables.put("WEIR_ENDED", ended.toString());
    variables.put("WEIR_TASKS", Integer.toString(tasks));
    variables.put("WEIR_TASKS_DONE", Integer.toString(done));
    variables.put("WEIR_TASKS_REUSED", Integer.toString(reused));
    variables.put("WEIR_FAILED_ATTEMPTS", Integer.toString(failedAttempts));
    variables.put("WEIR_FAILURE", failure);
    return variables;
  }
}
