package dev.weir.workflow.dispatch;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.Needs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A dispatcher for a graph that has no task yet and to which tasks are added. A task that fails for
 * good is given up, and with it those that wait for what it would have made; the others go on, and
 * the run has no end of its own. No task waits for ever because others have more bytes where there
 * is room. Not thread-safe: one thread tells it, and its {@link #dispatcher}, all events.
 */
public final class GrowingDispatcher {

  private final Board board;
  private final Crew crew;
  private final Dispatcher dispatcher;

  /**
   * A dispatcher without tasks, which take what they declare.
   *
   * @param policy how to choose
   * @param limits when to stop trying a task
   * @param size what each worker has room for
   */
  public GrowingDispatcher(Policy policy, Limits limits, WorkerSize size) {
    this(policy, limits, size, task -> Optional.empty());
  }

  /**
   * A dispatcher without tasks.
   *
   * @param policy how to choose
   * @param limits when to stop trying a task
   * @param size what each worker has room for
   * @param habits what tasks take of which nothing is declared; asked once for each, as it comes
   */
  public GrowingDispatcher(
      Policy policy,
      Limits limits,
      WorkerSize size,
      Function<Task, Optional<Habits.Habit>> habits) {
    this.board = new Board(policy, size);
    board
        .growth()
        .taughtBy(task -> habits.apply(task.task).ifPresent(habit -> task.learn(habit, size)));
    this.crew = new Crew(size);
    this.dispatcher =
        new Dispatcher(
            board,
            new Limits(limits.attempts(), limits.losses(), true),
            crew,
            new Paces(Habits.NONE),
            RunKind.POOL);
  }

  /**
   * What takes all other events.
   *
   * @return the dispatcher of the tasks that were added
   */
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  /**
   * Takes over what an earlier dispatcher of the same graph recorded, as far as it is about tasks
   * that are known. To be called before the start, once for each record in order.
   *
   * @param record the record
   * @return false when it is about a task that was never added, or is added a second time
   */
  public boolean replay(DispatchRecord record) {
    boolean fits = true;
    if (record instanceof DispatchRecord.AttemptEnded ended) {
      fits = board.taskOrNull(ended.report().task()) != null;
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      fits = board.taskOrNull(givenUp.task()) != null;
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      fits = board.taskOrNull(added.addition().task().id()) == null;
    }
    if (fits) {
      dispatcher.replay(record);
    }
    return fits;
  }

  /**
   * Says why a task cannot be added as things are.
   *
   * @param addition the task
   * @return the reason, or nothing when it can be added
   */
  public Optional<String> refusal(Addition addition) {
    Task task = addition.task();
    Needs needs = Needs.of(task.needs());
    WorkerSize size = crew.workerSize();
    return size.fits(needs)
        ? board.growth().refusal(addition)
        : Optional.of(
            "it needs "
                + needs.inWords()
                + ", and a worker has "
                + Needs.inWords(size.cores(), size.memoryBytes())
                + ": ask for less, or start a pool with more by --worker-cores and"
                + " --worker-memory");
  }

  /**
   * Whether a task that is known has made a file or may still do so.
   *
   * @param fileId id of the file
   * @return whether; false for files that only HDFS knows
   */
  public boolean isMadeHere(String fileId) {
    return board.growth().isMadeHere(fileId);
  }

  /**
   * Whether a file is made by a task that is known, whatever has become of that.
   *
   * @param fileId id of the file
   * @return whether
   */
  public boolean hasMaker(String fileId) {
    return board.known(fileId).anyMatch(file -> file.producer != null);
  }

  /**
   * Adds a task.
   *
   * @param addition the task
   * @param time milliseconds since the epoch
   * @return what follows
   * @throws IllegalArgumentException when there is a {@link #refusal}
   */
  public Step add(Addition addition, long time) {
    Optional<String> refusal = refusal(addition);
    if (refusal.isPresent()) {
      throw new IllegalArgumentException(
          "Cannot add task '" + addition.task().id() + "': " + refusal.get());
    }
    return dispatcher.add(addition, time);
  }

  /**
   * Gives up a task and those that need what it makes. Its command is ended if it runs.
   *
   * @param taskId its id; an unknown one, or one that is done or given up, is ignored
   * @param time milliseconds since the epoch
   * @return what follows
   */
  public Step cancel(String taskId, long time) {
    return dispatcher.cancel(taskId, time);
  }

  /**
   * Forgets tasks that are done or given up, so that a graph may grow for ever. What they made
   * stays where it is, and is not made again when it is lost.
   *
   * @param taskIds their ids; those of tasks that are not over, or are made again, are passed over
   * @return the ids of which no task is known now
   */
  public List<String> forget(Collection<String> taskIds) {
    return board.forget(taskIds);
  }

  /**
   * What the tasks read that wait for a worker.
   *
   * @param atMost how many tasks are of interest
   * @return for each of the first of them the ids of its inputs
   */
  public List<List<String>> readyInputs(int atMost) {
    List<List<String>> inputs = new ArrayList<>();
    for (TaskState task : board.ready().all()) {
      if (inputs.size() == atMost) {
        break;
      }
      inputs.add(task.task.inputs());
    }
    return inputs;
  }
}
