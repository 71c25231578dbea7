package dev.weir.workflow.dispatch;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import java.util.List;

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
})
public sealed interface DispatchRecord {

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
  }

  /**
   * A wish was followed.
   *
   * @param id of the wish
   * @param wish what was wanted
   * @param millis when, in milliseconds since the epoch
   */
  record Steered(String id, Steering wish, long millis) implements DispatchRecord {}

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
  }

  /**
   * A graph that grows has one more task.
   *
   * @param addition the task
   * @param millis when it came, in milliseconds since the epoch
   */
  record TaskAdded(Addition addition, long millis) implements DispatchRecord {}

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
      implements DispatchRecord {}

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
  }

  /**
   * What was in the data directory when the run began, of the files that it may delete: they are
   * not its own, also when it makes them again.
   *
   * @param files their ids
   */
  record FilesFound(List<String> files) implements DispatchRecord {

    /** Copies. */
    public FilesFound {
      files = List.copyOf(files);
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
  }
}
