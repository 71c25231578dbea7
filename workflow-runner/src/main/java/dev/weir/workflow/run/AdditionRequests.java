package dev.weir.workflow.run;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.transfer.InputLostException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests to add tasks to a run: those of its owner, and those for sub-workflows that
 * tasks made. Requests are handled one after the other, because each is checked against the plan
 * with the tasks of the earlier ones. A file of tasks becomes a part of the plan, and a request is
 * answered, only when the journal has the decision and no other ApplicationMaster can have decided
 * differently. Thread-safe.
 */
final class AdditionRequests {

  private static final Logger LOG = LoggerFactory.getLogger(AdditionRequests.class);
  private static final SteeringAnswer TOO_LATE = new SteeringAnswer(0, "the run has ended");

  private final Staging staging;
  private final SessionController controller;
  private final Executor threads;
  private final ManagedRun run;

  /** Requests that the dispatcher decides or has decided, and that are not answered. */
  private final Map<String, Pending> pending = new ConcurrentHashMap<>();

  /** Completes when the run has ended and its record is written. */
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private final Object order = new Object();

  /** Completes after the last request; guarded by {@link #order}. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  private record Pending(String file, CompletableFuture<SteeringAnswer> decision) {}

  /**
   * Creates the part of a run.
   *
   * @param threads for blocking work; unbounded
   */
  AdditionRequests(
      Staging staging, SessionController controller, Executor threads, ManagedRun run) {
    this.staging = staging;
    this.controller = controller;
    this.threads = threads;
    this.run = run;
  }

  /** Adds the tasks in a file after those of earlier requests. Does not block. */
  void add(String request, String file) {
    queue(request, () -> decide(request, file));
  }

  /**
   * Adds the tasks of the sub-workflow that a task stands for, after those of earlier requests.
   * Does not block.
   */
  void expand(String task) {
    String request = GraphGrown.expansionOf(task);
    queue(request, () -> decideExpansion(request, task));
  }

  private void queue(String request, Supplier<CompletableFuture<Void>> decision) {
    synchronized (order) {
      last =
          last.thenComposeAsync(nothing -> decision.get(), threads)
              .exceptionally(
                  failure -> {
                    logUndecided(request, failure);
                    return null;
                  });
    }
  }

  /** Runs work after the decisions on earlier requests. The work must not block. */
  void runAfterEarlier(Runnable work) {
    synchronized (order) {
      last = last.thenRun(work);
    }
  }

  private CompletableFuture<Void> decideExpansion(String request, String task) {
    if (run.addedBy(request).isPresent()) {
      return CompletableFuture.completedFuture(null);
    }
    try {
      String file = HdfsRetry.DEFAULT.through(() -> run.writeSubWorkflow(task));
      return decide(request, file)
          .whenComplete(
              (nothing, failure) -> {
                if (failure != null) {
                  controller.notExpanded(run.graph(), task, String.valueOf(failure.getMessage()));
                }
              });
    } catch (InputLostException e) {
      LOG.warn("The workflow of the task {} is lost", task, e);
      controller.subWorkflowLost(run.graph(), task, String.valueOf(e.getMessage()));
    } catch (WorkflowException e) {
      controller.notExpanded(run.graph(), task, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      LOG.warn("The workflow of the task {} cannot be read", task, e);
      controller.notExpanded(run.graph(), task, run.subWorkflow(task) + ": cannot be read: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Handles the dispatcher's decision.
   *
   * @return whether the request is about added tasks, so that it is answered here
   */
  boolean decided(String request, SteeringAnswer answer) {
    Pending asked = pending.get(request);
    if (asked == null) {
      return false;
    }
    boolean unused = asked.decision().complete(answer);
    return true;
  }

  /** The run has ended, and its record is written. Answers the requests. Blocks. */
  synchronized void end() {
    pending.forEach(
        (request, asked) -> {
          OptionalInt added = run.addedBy(request);
          SteeringAnswer answer = added.isPresent() ? added(added.getAsInt()) : TOO_LATE;
          settle(request, asked.decision().getNow(answer));
        });
    boolean unused = ended.complete(null);
  }

  private static SteeringAnswer added(int tasks) {
    return new SteeringAnswer(tasks, "already added");
  }

  /** Blocks while HDFS is unavailable; completes when the dispatcher has decided. */
  private CompletableFuture<Void> decide(String request, String file) {
    OptionalInt before = run.addedBy(request);
    if (before.isPresent()) {
      answer(request, added(before.getAsInt()));
      return CompletableFuture.completedFuture(null);
    }
    try {
      Graph tasks = HdfsRetry.DEFAULT.through(() -> run.added(request, file));
      CompletableFuture<SteeringAnswer> decision = new CompletableFuture<>();
      pending.put(request, new Pending(file, decision));
      CompletableFuture<Void> journalled =
          controller.grow(tasks, request, file, run.doneBefore(request));
      CompletableFuture<Void> unused =
          decision
              .thenCombine(journalled.applyToEither(ended, nothing -> ""), (answer, done) -> answer)
              .thenAcceptAsync(answer -> settle(request, answer), threads)
              .exceptionally(
                  failure -> {
                    logUndecided(request, failure);
                    return null;
                  });
      return CompletableFuture.anyOf(decision, journalled).thenAccept(done -> {});
    } catch (InvalidWorkflowException e) {
      refuse(request, file, e.problem() + ": " + e.remedy());
    } catch (FileNotFoundException | Staging.UnreadableException e) {
      LOG.warn("Cannot read the tasks of the request {}", request, e);
      refuse(request, file, "the tasks cannot be read: " + e.getMessage());
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedFuture(e);
    }
    return CompletableFuture.completedFuture(null);
  }

  private static void logUndecided(String request, Throwable failure) {
    LOG.warn(
        "The tasks of the request {} may not have been added; the next ApplicationMaster adds them",
        request,
        failure);
  }

  /** Refuses tasks that the dispatcher never saw. */
  private void refuse(String request, String file, String reason) {
    SteeringAnswer answer = new SteeringAnswer(0, reason);
    pending.put(request, new Pending(file, CompletableFuture.completedFuture(answer)));
    CompletableFuture<Void> unused =
        CompletableFuture.anyOf(controller.written(), ended)
            .thenRunAsync(() -> settle(request, answer), threads)
            .exceptionally(
                failure -> {
                  logUndecided(request, failure);
                  return null;
                });
  }

  /** Makes the tasks a part of the plan or deletes them, and answers, once for each request. */
  private synchronized void settle(String request, SteeringAnswer answer) {
    Pending asked = pending.remove(request);
    if (asked == null) {
      return;
    }
    try {
      if (answer.tasks() > 0) {
        boolean unused = HdfsRetry.DEFAULT.through(() -> AddedTasks.accept(staging, asked.file()));
      } else {
        run.forgetAddition(request);
        AddedTasks.delete(staging, asked.file());
      }
    } catch (IOException e) {
      // A refused file is no part of the plan, and the next ApplicationMaster accepts the others.
      LOG.warn("Cannot rename or delete the tasks of the request {}", request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    answer(request, answer);
  }

  private void answer(String request, SteeringAnswer answer) {
    Optional<String> task = GraphGrown.expandedBy(request);
    if (task.isEmpty()) {
      SteeringInbox.answer(staging, request, answer);
    } else if (answer.tasks() == 0) {
      String path = run.subWorkflow(task.get());
      controller.notExpanded(run.graph(), task.get(), path + ": " + answer.text());
    }
  }
}
