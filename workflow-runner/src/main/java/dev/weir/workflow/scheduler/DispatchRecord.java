package dev.weir.workflow.scheduler;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened, as the journal keeps it: replaying the records gives the state again. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "record")
@JsonSubTypes({
  @JsonSubTypes.Type(value = DispatchRecord.AttemptEnded.class, name = "attempt-ended"),
  @JsonSubTypes.Type(value = DispatchRecord.FilesLost.class, name = "files-lost"),
  @JsonSubTypes.Type(value = DispatchRecord.FilesLetGo.class, name = "files-let-go"),
  @JsonSubTypes.Type(value = DispatchRecord.FilesFound.class, name = "files-found"),
  @JsonSubTypes.Type(value = DispatchRecord.TaskAdded.class, name = "task-added"),
  @JsonSubTypes.Type(value = DispatchRecord.GivenUp.class, name = "given-up"),
  @JsonSubTypes.Type(value = DispatchRecord.Steered.class, name = "steered"),
  @JsonSubTypes.Type(value = DispatchRecord.TakenOver.class, name = "taken-over"),
  @JsonSubTypes.Type(value = DispatchRecord.GraphAdded.class, name = "graph-added"),
  @JsonSubTypes.Type(value = DispatchRecord.GraphEnded.class, name = "graph-ended"),
})
public sealed interface DispatchRecord {

  /**
   * The graph that the record is about.
   *
   * @return its id; empty for single jobs, and where ids have no prefix
   */
  String graph();

  private static String graphOf(List<String> files) {
    return files.isEmpty() ? "" : ScopedId.graph(files.get(0));
  }

  /**
   * A graph has come; what is known of it from earlier runs follows.
   *
   * @param graph its id
   * @param priority graphs with a higher one go first
   * @param millis when, in milliseconds since the epoch
   */
  record GraphAdded(String graph, int priority, long millis) implements DispatchRecord {}

  /**
   * A graph has ended.
   *
   * @param graph its id
   * @param outcome how
   * @param failure why it did not succeed, with the ids of the workflow; null when it did
   * @param millis when, in milliseconds since the epoch
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
      /** A task failed permanently, or the graph could not go on. */
      FAILED,
      /** Its owner wanted it to end. */
      CANCELLED
    }
  }

  /**
   * An attempt has ended, whichever way.
   *
   * @param worker the worker that made it
   * @param readyMillis when the task became ready, in milliseconds since the epoch
   * @param dispatchedMillis when the worker was told
   * @param endedMillis when the report came
   * @param report what the worker says
   * @param excused whether it is held against nobody, for inputs were lost that could be made
   *     again: later nobody may know who made them
   */
  record AttemptEnded(
      WorkerInfo worker,
      long readyMillis,
      long dispatchedMillis,
      long endedMillis,
      TaskReport report,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean excused)
      implements DispatchRecord {

    /**
     * One that is judged by its report alone.
     *
     * @param worker the worker that made it
     * @param readyMillis when the task became ready, in milliseconds since the epoch
     * @param dispatchedMillis when the worker was told
     * @param endedMillis when the report came
     * @param report what the worker says
     */
    public AttemptEnded(
        WorkerInfo worker,
        long readyMillis,
        long dispatchedMillis,
        long endedMillis,
        TaskReport report) {
      this(worker, readyMillis, dispatchedMillis, endedMillis, report, false);
    }

    @Override
    public String graph() {
      return ScopedId.graph(report.task());
    }
  }

  /**
   * A wish was followed.
   *
   * @param graph id of the graph that it is about
   * @param id of the wish
   * @param wish what was wanted
   * @param millis when, in milliseconds since the epoch
   */
  record Steered(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String graph,
      String id,
      Steering wish,
      long millis)
      implements DispatchRecord {

    /** Fills in what is not written where there is but one graph. */
    public Steered {
      graph = graph == null ? "" : graph;
    }
  }

  /**
   * A task need not be run, for an earlier run has done it.
   *
   * @param task its id
   * @param run id of the earlier run
   * @param firstTry whether its first attempt succeeded there
   * @param outputs what it made
   */
  record TakenOver(String task, String run, boolean firstTry, List<StoredFile> outputs)
      implements DispatchRecord {

    /** Copies. */
    public TakenOver {
      outputs = List.copyOf(outputs);
    }

    @Override
    public String graph() {
      return ScopedId.graph(task);
    }
  }

  /**
   * A graph that grows has one more task.
   *
   * @param addition the task
   * @param millis when it came, in milliseconds since the epoch
   */
  record TaskAdded(JobAddition addition, long millis) implements DispatchRecord {

    @Override
    public String graph() {
      return "";
    }
  }

  /**
   * Nothing will become of a task of a graph that grows.
   *
   * @param task its id
   * @param because the task that failed for good or was cancelled: this one, or one that would have
   *     made what this one needs
   * @param cancelled whether somebody wanted it so
   * @param millis when that was known, in milliseconds since the epoch
   */
  record GivenUp(String task, String because, boolean cancelled, long millis)
      implements DispatchRecord {

    @Override
    public String graph() {
      return "";
    }
  }

  /**
   * Files are gone from HDFS.
   *
   * @param files their ids
   */
  record FilesLost(List<String> files) implements DispatchRecord {

    /** Copies. */
    public FilesLost {
      files = List.copyOf(files);
    }

    @Override
    public String graph() {
      return graphOf(files);
    }
  }

  /**
   * What was in the data directory when the run began, of the files that it may delete: they are
   * not its own, also when it makes them again.
   *
   * @param graph of the run; said also when there was no such file
   * @param files their ids
   */
  record FilesFound(@JsonInclude(JsonInclude.Include.NON_EMPTY) String graph, List<String> files)
      implements DispatchRecord {

    /** Copies; without a graph it is the empty one. */
    public FilesFound {
      graph = graph == null ? "" : graph;
      files = List.copyOf(files);
    }

    /**
     * Files of which there is one at least, or of the empty graph.
     *
     * @param files their ids
     */
    public FilesFound(List<String> files) {
      this(graphOf(files), files);
    }
  }

  /**
   * Nobody needs files any more: they are deleted, now or by whoever reads this.
   *
   * @param files their ids
   */
  record FilesLetGo(List<String> files) implements DispatchRecord {

    /** Copies. */
    public FilesLetGo {
      files = List.copyOf(files);
    }

    @Override
    public String graph() {
      return graphOf(files);
    }
  }
}
