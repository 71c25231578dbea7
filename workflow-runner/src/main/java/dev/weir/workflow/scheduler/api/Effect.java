package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An action for the caller to carry out after an event. */
public sealed interface Effect {

  /**
   * Tell a worker to run an attempt as soon as it has room.
   *
   * @param outputs ids of the outputs to commit: those that are not in HDFS yet
   * @param needs resources reserved for it: at least the declared ones; more when these did not
   *     suffice, or when others of its type took more
   * @param copy whether another attempt is running; only one of the two may commit
   * @param stores what goes into the stores of nodes and comes from there
   * @param failures how often the task has failed
   */
  record Start(
      String worker,
      String task,
      int attempt,
      List<String> outputs,
      ResourceNeeds needs,
      boolean copy,
      Stores stores,
      int failures)
      implements Effect {

    public Start {
      outputs = List.copyOf(outputs);
    }

    /**
     * The time limit of the attempt in seconds; each failure adds the declared limit once more.
     *
     * @param declared that of the task; 0 for none
     */
    public long timeLimitSeconds(long declared) {
      return declared * (1 + failures);
    }
  }

  /**
   * Files of an attempt that are in the stores of nodes, not in HDFS.
   *
   * @param outputs ids of the outputs that stay in the store of its node
   */
  record Stores(Set<String> outputs, Map<String, NodeContent> inputs) {

    /** All files are in HDFS. */
    public static final Stores NONE = new Stores(Set.of(), Map.of());

    public Stores {
      outputs = Set.copyOf(outputs);
      inputs = Map.copyOf(inputs);
    }
  }

  /**
   * Ask a worker to give an attempt back if its command has not begun. The worker either reports
   * that it gave the attempt back, or that the command has begun.
   */
  record Recall(String worker, String task, int attempt) implements Effect {}

  /**
   * Tell a worker to stop an attempt, whether or not its command has begun. The worker answers with
   * a report in either case.
   */
  record Stop(String worker, String task, int attempt) implements Effect {}

  /**
   * Answer a worker that asked whether it may commit an attempt.
   *
   * @param granted whether it may commit; if not, it deletes its output
   */
  record Permit(String worker, String task, int attempt, boolean granted) implements Effect {}

  /** Tell a worker to remove a file from the store of its node. */
  record DropStored(String worker, String file, NodeContent content) implements Effect {}

  /**
   * Tell a worker to copy a file from the store of its node to HDFS.
   *
   * @param urgent whether it must not wait while tasks move files
   */
  record WriteBack(String worker, String file, NodeContent content, boolean urgent)
      implements Effect {}

  /**
   * Answer a worker's question whether a copy gets its name in HDFS.
   *
   * @param nodeMillis when the store of the node got the file, in milliseconds since the epoch
   */
  record PermitWriteBack(String worker, String file, long nodeMillis, boolean granted)
      implements Effect {}

  /** Answer a steering request. */
  record Answer(String graph, String request, SteeringAnswer answer) implements Effect {}

  /**
   * Add the tasks of a sub-workflow by {@code Dispatcher.grow}, or report by {@code
   * Dispatcher.notExpanded} why that is not possible.
   *
   * @param task the id that the task that stands for it has in the workflow
   */
  record Expand(String graph, String task) implements Effect {}

  /** Remove partial output of an attempt whose worker was lost. */
  record Discard(String task, int attempt, List<String> outputs) implements Effect {

    public Discard {
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * Delete files that no task needs, once the records so far are in the journal. Then call {@code
   * Dispatcher.deleted}, also after a failure.
   */
  record DeleteFiles(String graph, List<UnneededFile> files) implements Effect {

    public DeleteFiles {
      files = List.copyOf(files);
    }
  }

  /**
   * A file that no task needs any more.
   *
   * @param madeMillis when its task had made it, in milliseconds since the epoch; a file that was
   *     written later is another file
   * @param fileId the id that HDFS gave it: a file with another id is another file; 0 when not
   *     known
   */
  record UnneededFile(String file, long bytes, long madeMillis, long fileId) {}

  /**
   * All tasks of a graph are done: check that the results are still in HDFS, and call {@code
   * Dispatcher.checked}.
   *
   * @param results ids of the result files
   */
  record Check(String graph, List<String> results) implements Effect {

    public Check {
      results = List.copyOf(results);
    }
  }

  /** All tasks of a graph are done, and its results are in HDFS. */
  record Succeeded(String graph) implements Effect {}

  /**
   * A graph has failed.
   *
   * @param failure the reason; its ids are those of the workflow
   */
  record Failed(String graph, RunFailure failure) implements Effect {}
}
