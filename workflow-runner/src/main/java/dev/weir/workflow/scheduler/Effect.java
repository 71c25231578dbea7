package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.List;

/** What is to be done after an event. */
public sealed interface Effect {

  /**
   * Tell a worker to make an attempt, as soon as it has room for it.
   *
   * @param worker id of the worker
   * @param task id of the task
   * @param attempt its number
   * @param outputs ids of the outputs to commit: those that HDFS does not hold already
   * @param needs what is set aside for it: at least what is declared, and more when that did not
   *     do, or others of its type took more
   * @param copy whether another attempt goes on: of the two one may commit
   * @param ahead ids of inputs that its node has, or is about to have, because they were copied
   *     there ahead of it
   */
  record Start(
      String worker,
      String task,
      int attempt,
      List<String> outputs,
      ResourceNeeds needs,
      boolean copy,
      List<String> ahead)
      implements Effect {

    /**
     * The start of an attempt for which nothing was copied.
     *
     * @param worker id of the worker
     * @param task id of the task
     * @param attempt its number
     * @param outputs ids of the outputs to commit
     * @param needs what is set aside for it
     * @param copy whether another attempt goes on
     */
    public Start(
        String worker,
        String task,
        int attempt,
        List<String> outputs,
        ResourceNeeds needs,
        boolean copy) {
      this(worker, task, attempt, outputs, needs, copy, List.of());
    }

    /**
     * The start of an attempt that gets what is declared.
     *
     * @param worker id of the worker
     * @param task id of the task
     * @param attempt its number
     * @param outputs ids of the outputs to commit
     */
    public Start(String worker, String task, int attempt, List<String> outputs) {
      this(worker, task, attempt, outputs, ResourceNeeds.ONE_CORE, false);
    }

    /** Copies. */
    public Start {
      outputs = List.copyOf(outputs);
      ahead = List.copyOf(ahead);
    }
  }

  /**
   * Ask a worker to give an attempt back if its command has not begun. It reports that it has, or
   * says that the command has begun.
   *
   * @param worker id of the worker
   * @param task id of the task
   * @param attempt number of the attempt
   */
  record Recall(String worker, String task, int attempt) implements Effect {}

  /**
   * Tell a worker to stop an attempt, whether its command has begun or not. It answers with a
   * report in either case.
   *
   * @param worker id of the worker
   * @param task id of the task
   * @param attempt number of the attempt
   */
  record Stop(String worker, String task, int attempt) implements Effect {}

  /**
   * Answer a worker that wants to commit an attempt.
   *
   * @param worker id of the worker
   * @param task id of the task
   * @param attempt number of the attempt
   * @param granted whether it may; if not it is to drop what it has made
   */
  record Permit(String worker, String task, int attempt, boolean granted) implements Effect {}

  /**
   * Tell a worker to copy a file into its node's cache before a task that reads it is ready. It
   * answers when that is over, one way or the other.
   *
   * @param worker id of the worker
   * @param number of the copy
   * @param file id of the file
   * @param from host to read it from
   */
  record Copy(String worker, long number, String file, String from) implements Effect {}

  /**
   * Tell a worker to wait with a copy, or to go on.
   *
   * @param worker id of the worker
   * @param number of the copy
   * @param waits whether it is to wait
   */
  record Pace(String worker, long number, boolean waits) implements Effect {}

  /**
   * Tell a worker that nobody will read what it has copied.
   *
   * @param worker id of the worker
   * @param file id of the file
   */
  record Drop(String worker, String file) implements Effect {}

  /**
   * Tell whoever steers a graph what came of a wish.
   *
   * @param graph id of the graph
   * @param wish id of the wish
   * @param answer what came of it
   */
  record Answer(String graph, String wish, SteeringAnswer answer) implements Effect {}

  /**
   * Remove what an attempt that was cut off may have begun to write.
   *
   * @param task id of the task
   * @param attempt number of the attempt
   * @param outputs ids of the outputs that it was to make
   */
  record Discard(String task, int attempt, List<String> outputs) implements Effect {

    /** Copies. */
    public Discard {
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * Delete files that nobody needs any more, once the records up to now are in the journal, and
   * tell {@link Dispatcher#deleted}, whatever came of it.
   *
   * @param graph id of the graph
   * @param files the files
   */
  record LetGo(String graph, List<Spent> files) implements Effect {

    /** Copies. */
    public LetGo {
      files = List.copyOf(files);
    }
  }

  /**
   * A file that nobody needs any more.
   *
   * @param file its id
   * @param bytes its length
   * @param madeMillis when its task had made it, in milliseconds since the epoch; what has been
   *     written since is not that file
   * @param fileId the number that HDFS has given it: a file of another number is not that file; 0
   *     when it is not known
   */
  record Spent(String file, long bytes, long madeMillis, long fileId) {}

  /**
   * All tasks of a graph are done: see whether the results are still there, and tell {@link
   * Dispatcher#checked}.
   *
   * @param graph id of the graph
   * @param results ids of the files that the workflow is run for
   */
  record Check(String graph, List<String> results) implements Effect {

    /** Copies. */
    public Check {
      results = List.copyOf(results);
    }
  }

  /**
   * All tasks of a graph are done, and their results are there.
   *
   * @param graph id of the graph
   */
  record Succeeded(String graph) implements Effect {}

  /**
   * A graph cannot succeed any more.
   *
   * @param graph id of the graph
   * @param failure why; its ids are those of the workflow
   */
  record Failed(String graph, RunFailure failure) implements Effect {}
}
