package dev.weir.bench.shared;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Assigns tasks to free slots in FIFO order of becoming ready, without regard to data. Each slot
 * runs one task at a time.
 */
final class FifoDispatcher {
  private final WorkflowGraph graph;
  private final Clock clock;
  private final Object lock = new Object();

  // Guarded by the lock.
  private final Queue<Ready> ready = new ArrayDeque<>();
  private final Map<String, Integer> pendingParents = new HashMap<>();
  private final List<Execution> executions = new ArrayList<>();
  private int unfinished;
  private boolean failed;

  /** Runs tasks, one at a time. */
  interface Slot {
    /** Returns the node of the slot. */
    String node();

    /**
     * Runs a task to its end.
     *
     * @throws IOException if it fails
     */
    Transfers run(Task task) throws IOException, InterruptedException;
  }

  /**
   * The transfers of a task.
   *
   * @param remoteBytes input bytes that came over the network
   * @param stageIn duration of the transfers before the command
   * @param stageOut duration of the transfers after it
   */
  record Transfers(long remoteBytes, Duration stageIn, Duration stageOut) {
    /** Creates the transfers of a command that reads and writes a mounted directory itself. */
    static Transfers ofMount(long remoteBytes) {
      return new Transfers(remoteBytes, Duration.ZERO, Duration.ZERO);
    }
  }

  /**
   * A task that has ended.
   *
   * @param node of its slot
   */
  record Execution(
      Task task,
      String node,
      Instant ready,
      Instant dispatched,
      Instant ended,
      Transfers transfers) {}

  private record Ready(Task task, Instant since) {}

  FifoDispatcher(Workflow workflow, Clock clock) {
    this.graph = workflow.graph();
    this.clock = clock;
    this.unfinished = workflow.tasks().size();
    Instant now = clock.instant();
    for (Task task : workflow.tasks()) {
      int parents = graph.parents(task.id()).size();
      pendingParents.put(task.id(), parents);
      if (parents == 0) {
        ready.add(new Ready(task, now));
      }
    }
  }

  /**
   * Runs all tasks, once.
   *
   * @return the tasks in the order of their ends
   * @throws IOException if a task fails; no further task is started then
   */
  List<Execution> run(List<? extends Slot> slots) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(slots.size());
    try {
      List<Future<?>> all = new ArrayList<>();
      for (Slot slot : slots) {
        all.add(
            threads.submit(
                () -> {
                  serve(slot);
                  return null;
                }));
      }
      await(all);
    } finally {
      threads.shutdownNow();
    }
    synchronized (lock) {
      return List.copyOf(executions);
    }
  }

  private static void await(List<Future<?>> all) throws IOException, InterruptedException {
    IOException failure = null;
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        IOException next =
            new IOException(String.valueOf(cause == null ? e : cause.getMessage()), e);
        if (failure == null) {
          failure = next;
        } else {
          failure.addSuppressed(next);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void serve(Slot slot) throws IOException, InterruptedException {
    for (Ready next = take(); next != null; next = take()) {
      boolean succeeded = false;
      try {
        Instant dispatched = clock.instant();
        Transfers transfers = slot.run(next.task());
        finished(
            new Execution(
                next.task(), slot.node(), next.since(), dispatched, clock.instant(), transfers));
        succeeded = true;
      } finally {
        if (!succeeded) {
          fail();
        }
      }
    }
  }

  /** Waits for a ready task; returns null if there will be none. */
  private @Nullable Ready take() throws InterruptedException {
    synchronized (lock) {
      while (ready.isEmpty() && unfinished > 0 && !failed) {
        lock.wait();
      }
      return failed ? null : ready.poll();
    }
  }

  private void finished(Execution execution) {
    synchronized (lock) {
      executions.add(execution);
      unfinished--;
      for (Task child : graph.children(execution.task().id())) {
        if (pendingParents.merge(child.id(), -1, Integer::sum) == 0) {
          ready.add(new Ready(child, execution.ended()));
        }
      }
      lock.notifyAll();
    }
  }

  private void fail() {
    synchronized (lock) {
      failed = true;
      lock.notifyAll();
    }
  }
}
