package dev.weir.cli.steer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.client.RunView;
import dev.weir.workflow.scheduler.api.GivenUp;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class RunJson {
  private RunJson() {}

  /** Returns the number of tasks that are done, as last reported. */
  static int done(RunView view) {
    RunSummary.End end = view.summary().end();
    RunProgress progress = view.progress();
    return end != null ? end.done() : progress == null ? 0 : progress.done();
  }

  /** Returns the number of tasks, to which some may have been added since the run was submitted. */
  static int tasks(RunView view) {
    RunProgress progress = view.progress();
    int submitted = view.summary().tasks();
    return progress == null ? submitted : Math.max(submitted, progress.tasks());
  }

  /** Returns the tasks that a run with {@code --keep-going} gave up, as last reported. */
  static GivenUp givenUp(RunView view) {
    RunFailure failure = view.failure();
    if (failure != null && failure.givenUp().failed() > 0) {
      return failure.givenUp();
    }
    RunProgress progress = view.progress();
    return progress == null ? GivenUp.NONE : progress.details().givenUp();
  }

  /** Returns the fields that the list of runs shows. */
  static ObjectNode head(RunView view) {
    RunSummary summary = view.summary();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", summary.id())
            .put("user", summary.user())
            .put("workflow", summary.workflow())
            .put("mode", summary.mode())
            .put("data", summary.dataDir())
            .put("state", view.stage().name())
            .put("submitted", summary.submitted())
            .put("tasks", tasks(view))
            .put("done", done(view));
    RunSummary.End end = summary.end();
    if (end != null) {
      node.put("ended", end.ended());
      if (!end.reason().isEmpty()) {
        node.put("reason", end.reason());
      }
    }
    return node;
  }

  /**
   * Returns all fields.
   *
   * @param secondsLeft the estimated time that is left; null if unknown
   */
  static ObjectNode full(RunView view, @Nullable Double secondsLeft) {
    ObjectNode node = head(view);
    RunProgress progress = view.progress();
    if (progress != null) {
      node.put("ready", progress.ready())
          .put("running", progress.running().size())
          .put("workers", progress.workers())
          .put("failed-attempts", progress.failedAttempts())
          .put("input-bytes-local", progress.inputBytesLocal())
          .put("input-bytes-remote", progress.inputBytesRemote());
      add(node, progress.details());
      ArrayNode notes = node.putArray("notes");
      progress.notes().forEach(notes::add);
    }
    GivenUp givenUp = givenUp(view);
    if (givenUp.failed() > 0) {
      node.put("failed-for-good", givenUp.failed());
      add(node.putArray("failed-tasks"), givenUp.first());
    }
    RunFailure failure = view.failure();
    if (failure != null) {
      node.putObject("failure")
          .put("task", failure.task())
          .put("attempts", failure.attempts())
          .put("exit-code", failure.exitCode())
          .put("node", failure.node())
          .put("message", failure.message())
          .put("output-tail", failure.outputTail());
    }
    return secondsLeft == null ? node : node.put("seconds-left", secondsLeft);
  }

  private static void add(ObjectNode node, Progress.Details details) {
    node.put("held", details.held())
        .put("dropped", details.dropped())
        .put("reused", details.reused());
    ArrayNode types = node.putArray("types");
    for (Progress.TypeCount type : details.types()) {
      types
          .addObject()
          .put("type", type.type())
          .put("waiting", type.waiting())
          .put("ready", type.ready())
          .put("running", type.running())
          .put("done", type.done())
          .put("dropped", type.dropped());
    }
    ArrayNode running = node.putArray("running-tasks");
    for (Progress.Running task : details.running()) {
      running
          .addObject()
          .put("task", task.task())
          .put("attempt", task.attempt())
          .put("worker", task.worker())
          .put("node", task.node())
          .put("since", Instant.ofEpochMilli(task.sinceMillis()).toString());
    }
    add(node.putArray("last-failures"), details.failures());
    ArrayNode waiting = node.putArray("waiting-for-containers");
    details
        .waiting()
        .forEach(one -> waiting.addObject().put("needs", one.needs()).put("tasks", one.tasks()));
  }

  private static void add(ArrayNode list, List<Progress.Failed> attempts) {
    for (Progress.Failed failed : attempts) {
      list.addObject()
          .put("task", failed.task())
          .put("attempt", failed.attempt())
          .put("node", failed.node())
          .put("exit-code", failed.exitCode())
          .put("line", failed.line());
    }
  }
}
