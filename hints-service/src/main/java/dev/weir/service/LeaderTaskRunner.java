package dev.weir.service;

import dev.weir.service.part.LeaderTask;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the leader tasks while this instance leads, each on its own thread. A term ends by
 * interrupting its threads. The next term waits until the threads of the last one have ended.
 */
final class LeaderTaskRunner implements LeaderElection.Listener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTaskRunner.class);
  private static final Duration TERM_END_TIMEOUT = Duration.ofSeconds(10);

  private final LeaderElection election;
  private final List<LeaderTask> tasks;
  private final Duration retryDelay;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong term = new AtomicLong();

  /**
   * Creates a runner.
   *
   * @param retryDelay the delay before a task that has returned or failed is called again
   */
  LeaderTaskRunner(LeaderElection election, List<LeaderTask> tasks, Duration retryDelay) {
    this.election = election;
    this.tasks = List.copyOf(tasks);
    this.retryDelay = retryDelay;
  }

  void start(String self) throws IOException {
    election.start(self, this);
  }

  boolean isLeader() {
    return election.isLeader();
  }

  String leader() {
    return election.leader();
  }

  @Override
  public synchronized void won() {
    endTerm();
    long ownTerm = term.incrementAndGet();
    LOG.info("This instance leads");
    for (LeaderTask task : tasks) {
      Thread thread = new Thread(() -> run(task, ownTerm), "leader-" + task.name());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  @Override
  public synchronized void lost() {
    LOG.info("This instance no longer leads");
    endTerm();
  }

  @Override
  public void close() {
    election.close();
    synchronized (this) {
      endTerm();
    }
  }

  /** Must be called with the monitor held. */
  private void endTerm() {
    term.incrementAndGet();
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + TERM_END_TIMEOUT.toNanos();
    for (Thread thread : threads) {
      try {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, left));
        if (thread.isAlive()) {
          LOG.warn("{} is still running although its term has ended", thread.getName());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    threads.clear();
  }

  private void run(LeaderTask task, long ownTerm) {
    try {
      while (isCurrent(ownTerm)) {
        lead(task, ownTerm);
        Thread.sleep(retryDelay.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lead(LeaderTask task, long ownTerm) throws InterruptedException {
    try {
      task.lead(() -> isCurrent(ownTerm));
    } catch (IOException e) {
      LOG.warn("{} failed: {}; retrying", task.name(), e.toString());
    } catch (RuntimeException | Error e) {
      // Errors are caught too. Otherwise this instance would stay the leader without doing the
      // work.
      LOG.error("{} failed; retrying", task.name(), e);
    }
  }

  private boolean isCurrent(long ownTerm) {
    return term.get() == ownTerm && election.isLeader() && !Thread.currentThread().isInterrupted();
  }
}
