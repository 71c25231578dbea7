package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.Stragglers.Runner;
import dev.weir.workflow.scheduler.TaskState.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds stragglers a place for a second copy, and says which of two attempts may commit. Not
 * thread-safe.
 */
final class SpeculationPolicy {

  private static final double MILLIS_PER_SECOND = 1_000;

  private final SessionGraphs session;
  private final CacheIndex caches;
  private final WorkerSet crew;
  private final Assignments hands;
  private final StepBuilder turn;
  private final List<Question> early = new ArrayList<>();
  private boolean answers;

  /** Whether an attempt may commit. */
  private record Question(String worker, String task, int attempt) {}

  SpeculationPolicy(
      SessionGraphs session,
      CacheIndex caches,
      WorkerSet crew,
      Assignments hands,
      StepBuilder turn) {
    this.session = session;
    this.caches = caches;
    this.crew = crew;
    this.hands = hands;
    this.turn = turn;
  }

  /** A task and the worker that is to make a second attempt at it. */
  record Copy(TaskState task, WorkerState worker) {}

  /**
   * The copies that are to be started now: none while anything is ready, or by workers for which
   * something is asked back. To be called when all has been asked back that pays: what still waits
   * for a busy worker is better off there.
   *
   * @param now milliseconds since the epoch
   * @param readRate bytes a second at which inputs come from other nodes; 0 when not known
   */
  List<Copy> copies(long now, long readRate) {
    if (crew.idle().isEmpty()
        || session.hasReady()
        || session.all().stream().noneMatch(graph -> graph.speculates)) {
      return List.of();
    }
    Set<WorkerState> free = new LinkedHashSet<>();
    int copies = 0;
    for (WorkerState worker : crew.all()) {
      if (worker.isFree()) {
        free.add(worker);
      }
      for (TaskState task : worker.running()) {
        copies += task.hasTwinOn(worker) ? 1 : 0;
      }
    }
    int most = Math.min(free.size(), Stragglers.cap(crew.size()) - copies);
    return most <= 0 ? List.of() : copies(free, most, now, readRate);
  }

  private List<Copy> copies(Set<WorkerState> free, int most, long now, long readRate) {
    double rate = readRate > 0 ? readRate : TaskGraph.BYTES_PER_SECOND;
    Map<String, TaskState> tasks = new HashMap<>();
    List<Runner> runners = new ArrayList<>();
    for (WorkerState worker : crew.all()) {
      for (TaskState task : worker.running()) {
        Runner runner = mayHaveCopy(task) ? runner(task, free, now, rate) : null;
        if (runner != null) {
          tasks.put(task.id(), task);
          runners.add(runner);
        }
      }
    }
    List<Copy> copies = new ArrayList<>();
    for (Runner chosen : Stragglers.choose(runners, most)) {
      TaskState task = tasks.get(chosen.task());
      WorkerState place = task == null ? null : place(task, free);
      if (task != null && place != null) {
        free.remove(place);
        copies.add(new Copy(task, place));
      }
    }
    return copies;
  }

  /**
   * A task that may be tried once only must not be tried twice at a time, and regions can be joined
   * once only.
   */
  private static boolean mayHaveCopy(TaskState task) {
    return task.status == Status.GIVEN
        && task.graph.speculates
        && !task.graph.over
        && !task.graph.paused()
        && task.twin == null
        && !task.granted
        && !task.held
        && task.missing == 0
        && !task.task.joinsRegions()
        && task.attemptsAllowed > 1;
  }

  private @Nullable Runner runner(TaskState task, Set<WorkerState> free, long now, double rate) {
    RuntimeEstimates.Pace pace = task.graph.paces.of(task.task.type());
    if (pace == null) {
      return null;
    }
    double elapsed = (now - task.begunMillis) / MILLIS_PER_SECOND;
    Runner atBest = new Runner(task.id(), elapsed, pace.expected(), pace.slow(), pace.expected());
    // Most are none wherever their inputs are, and there may be thousands of free workers.
    WorkerState place = atBest.isStraggler() ? place(task, free) : null;
    if (place == null) {
      return null;
    }
    long missing = task.missingOn(place.info.node(), caches, Double.MAX_VALUE);
    return atBest.copiedIn(pace.expected() + missing / rate);
  }

  /** On another node, for what makes it slow may be this one; with the most of its bytes. */
  private @Nullable WorkerState place(TaskState task, Set<WorkerState> free) {
    // Of thousands of free workers few are where its bytes are.
    List<LocalTask> nearest = new ArrayList<>(task.places);
    nearest.sort(Comparator.comparingLong(LocalTask::bytes).reversed());
    for (LocalTask near : nearest) {
      for (WorkerState worker : crew.on(near.host())) {
        if (free.contains(worker) && mayCopy(task, worker)) {
          return worker;
        }
      }
    }
    for (WorkerState worker : free) {
      if (mayCopy(task, worker)) {
        return worker;
      }
    }
    return null;
  }

  private boolean mayCopy(TaskState task, WorkerState worker) {
    WorkerState holder = task.worker;
    String node = worker.info.node();
    return holder != null
        && !node.equals(holder.info.node())
        && worker.canStart(task.needs)
        && crew.allows(task, node);
  }

  /**
   * A worker asks whether it may commit an attempt. Before the run has started, or is carried on,
   * nobody is answered: another worker that is still to come may have been let commit before.
   */
  void asked(String workerId, String taskId, int attempt) {
    Question question = new Question(workerId, taskId, attempt);
    if (answers) {
      answer(question);
    } else {
      early.add(question);
    }
  }

  /** All workers have come that were there before: whoever has asked is answered. */
  void answerAll() {
    answers = true;
    early.forEach(this::answer);
    early.clear();
  }

  private void answer(Question question) {
    WorkerState worker = crew.get(question.worker());
    TaskState task = session.task(question.task());
    boolean granted = worker != null && task != null && grant(task, worker, question.attempt());
    turn.effect(new Effect.Permit(question.worker(), question.task(), question.attempt(), granted));
  }

  /**
   * Lets the first of two attempts commit, and has the other stopped. An attempt that may commit
   * may do so until it ends: if it fails to, the task is tried again.
   *
   * @return whether the attempt may commit
   */
  private boolean grant(TaskState task, WorkerState worker, int attempt) {
    AttemptRef held = task.heldBy(worker).orElse(null);
    if (held == null
        || held.attempt() != attempt
        || held.stopping()
        || task.status != Status.GIVEN) {
      return false;
    }
    if (task.worker != worker) {
      if (task.granted) {
        return false;
      }
      hands.preferTwin(task);
    } else {
      hands.stopTwin(task);
    }
    task.granted = true;
    return true;
  }
}
