package dev.weir.workflow.scheduler.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.record.StoredFile;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event in the journal. Replaying the records restores the state. Graphs, tasks, files and
 * workers are named by their ids. Times are in milliseconds since the epoch.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "record")
@JsonSubTypes({
  @JsonSubTypes.Type(value = DispatchRecord.AttemptEnded.class, name = "attempt-ended"),
  @JsonSubTypes.Type(value = DispatchRecord.MemoryExceeded.class, name = "memory-exceeded"),
  @JsonSubTypes.Type(value = DispatchRecord.LossExcused.class, name = "loss-excused"),
  @JsonSubTypes.Type(value = DispatchRecord.FilesLost.class, name = "files-lost"),
  @JsonSubTypes.Type(value = DispatchRecord.FilesReleased.class, name = "files-let-go"),
  @JsonSubTypes.Type(value = DispatchRecord.WrittenBack.class, name = "written-back"),
  @JsonSubTypes.Type(value = DispatchRecord.FilesFound.class, name = "files-found"),
  @JsonSubTypes.Type(value = DispatchRecord.TaskAdded.class, name = "task-added"),
  @JsonSubTypes.Type(value = DispatchRecord.GivenUp.class, name = "given-up"),
  @JsonSubTypes.Type(value = DispatchRecord.Steered.class, name = "steered"),
  @JsonSubTypes.Type(value = DispatchRecord.TakenOver.class, name = "taken-over"),
  @JsonSubTypes.Type(value = DispatchRecord.GraphAdded.class, name = "graph-added"),
  @JsonSubTypes.Type(value = DispatchRecord.GraphGrown.class, name = "graph-grown"),
  @JsonSubTypes.Type(value = DispatchRecord.GraphEnded.class, name = "graph-ended"),
})
public sealed interface DispatchRecord {

  /**
   * The graph that the record is about.
   *
   * @return its id; empty for single jobs, and where ids have no prefix
   */
  default String graph() {
    String task = task();
    return task == null ? "" : ScopedId.graph(task);
  }

  /** The scoped id of the known task that the record is about; null if it is about none. */
  default @Nullable String task() {
    return null;
  }

  private static String graphOf(List<String> files) {
    return files.isEmpty() ? "" : ScopedId.graph(files.get(0));
  }

  /**
   * A graph was added. Records about it from earlier runs follow.
   *
   * @param priority graphs with a higher priority go first
   */
  record GraphAdded(String graph, int priority, long millis) implements DispatchRecord {}

  /**
   * Tasks were added to a graph.
   *
   * @param request id of the request of the owner or for a sub-workflow, which is applied once
   * @param plan name that the request gave to the file with the tasks, in the run's directory
   */
  record GraphGrown(String graph, String request, String plan, long millis)
      implements DispatchRecord {

    private static final String EXPANDS = "workflow:";

    /** Returns the id of the request to add the tasks of a sub-workflow. */
    public static String expansionOf(String task) {
      return EXPANDS + task;
    }

    /**
     * Returns the task that stands for the added tasks.
     *
     * @return its id in the workflow; empty if the tasks are not those of a sub-workflow
     */
    public Optional<String> expands() {
      return expandedBy(request);
    }

    /** Returns the task that stands for the tasks of a request; empty for an owner's request. */
    public static Optional<String> expandedBy(String request) {
      return request.startsWith(EXPANDS)
          ? Optional.of(request.substring(EXPANDS.length()))
          : Optional.empty();
    }
  }

  /**
   * A graph has ended.
   *
   * @param failure why it failed, with the ids of the workflow; null when it succeeded
   */
  record GraphEnded(
      String graph,
      Outcome outcome,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RunFailure failure,
      long millis)
      implements DispatchRecord {

    /** How a graph ends. */
    public enum Outcome {
      /** Every task is done, and the results are there. */
      SUCCEEDED,
      /** A task failed permanently, or the graph could not continue. */
      FAILED,
      /** Its owner cancelled it. */
      CANCELLED
    }
  }

  /**
   * An attempt has ended, successful or not.
   *
   * @param readyMillis when the task became ready, in milliseconds since the epoch
   * @param dispatchedMillis when the attempt was assigned to the worker
   * @param endedMillis when the report arrived
   * @param excused whether it counts neither as a failure nor as a loss: inputs were lost that
   *     tasks could make again, or YARN has ended the worker for reasons of its own; recorded
   *     because the producers may be forgotten at replay
   * @param ahead whether its worker was lost before the command had begun, as far as is known
   * @param placement why the worker got it; null if that is not known, or the task has no inputs
   */
  record AttemptEnded(
      WorkerInfo worker,
      long readyMillis,
      long dispatchedMillis,
      long endedMillis,
      TaskReport report,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean excused,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean ahead,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlacementReason placement)
      implements DispatchRecord {

    /**
     * Returns the record with another report.
     *
     * @param other a report of the same attempt
     * @return a copy
     */
    public AttemptEnded with(TaskReport other) {
      return new AttemptEnded(
          worker, readyMillis, dispatchedMillis, endedMillis, other, excused, ahead, placement);
    }

    @Override
    public String task() {
      return report.task();
    }
  }

  /**
   * YARN has killed a lost worker for the memory of the tasks that it ran, so that a task gets
   * more.
   *
   * @param alone whether the worker ran no other task
   */
  record MemoryExceeded(WorkerInfo worker, String task, boolean alone, String message, long millis)
      implements DispatchRecord {}

  /** YARN had ended a lost worker for reasons of its own, so that its loss costs a task no try. */
  record LossExcused(String worker, String task, long millis) implements DispatchRecord {}

  /** A steering request was applied. */
  record Steered(String graph, String id, Steering wish, long millis) implements DispatchRecord {}

  /**
   * A task need not run, because an earlier run has done it.
   *
   * @param firstTry whether its first attempt succeeded there
   * @param outputs the files that it made
   */
  record TakenOver(String task, String run, boolean firstTry, List<StoredFile> outputs)
      implements DispatchRecord {

    public TakenOver {
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * A task was added to a graph that grows.
   *
   * @param millis when it was added, in milliseconds since the epoch
   */
  record TaskAdded(JobAddition addition, long millis) implements DispatchRecord {}

  /**
   * A task of a graph that grows was dropped.
   *
   * @param because the task that failed permanently or was cancelled: this task, or one whose
   *     outputs it needs
   * @param millis when it was dropped, in milliseconds since the epoch
   */
  record GivenUp(String task, String because, boolean cancelled, long millis)
      implements DispatchRecord {

    @Override
    public String graph() {
      return "";
    }
  }

  /** HDFS has lost files. */
  record FilesLost(List<String> files) implements DispatchRecord {

    public FilesLost {
      files = List.copyOf(files);
    }

    @Override
    public String graph() {
      return graphOf(files);
    }
  }

  /**
   * Files that the run may delete but that were in the data directory when it began. The run does
   * not own them, also if it makes them again.
   *
   * @param graph id of the graph; recorded also when there was no such file
   */
  record FilesFound(String graph, List<String> files) implements DispatchRecord {

    public FilesFound {
      files = List.copyOf(files);
    }

    /**
     * A record whose graph follows from the files; an empty list is about the graph with the empty
     * id.
     */
    public FilesFound(List<String> files) {
      this(graphOf(files), files);
    }
  }

  /** No task needs the files any more. They are deleted now, or by a later ApplicationMaster. */
  record FilesReleased(List<String> files) implements DispatchRecord {

    public FilesReleased {
      files = List.copyOf(files);
    }

    @Override
    public String graph() {
      return graphOf(files);
    }
  }

  /**
   * HDFS has a copy of a file in the store of a node.
   *
   * @param nodeMillis when the store got the file, in milliseconds since the epoch
   * @param millis when the copy was reported, in milliseconds since the epoch
   */
  record WrittenBack(StoredFile copy, long nodeMillis, long millis) implements DispatchRecord {

    @Override
    public String graph() {
      return ScopedId.graph(copy.name());
    }
  }
}
