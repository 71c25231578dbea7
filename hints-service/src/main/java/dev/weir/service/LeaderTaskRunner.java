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
  private static final Duration END = Duration.ofSeconds(10);

  private final LeaderElection elections;
  private final List<LeaderTask> tasks;
  private final Duration pause;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong term = new AtomicLong();

  /**
   * Creates a runner.
   *
   * @param pause the delay before a task that has returned or failed is called again
   */
  LeaderTaskRunner(LeaderElection elections, List<LeaderTask> tasks, Duration pause) {
    this.elections = elections;
    this.tasks = List.copyOf(tasks);
    this.pause = pause;
  }

  void start(String self) throws IOException {
    elections.start(self, this);
  }

  boolean isLeader() {
    return elections.isLeader();
  }

  String leader() {
    return elections.leader();
  }

  @Override
  public synchronized void won() {
    endTerm();
    long mine = term.incrementAndGet();
    LOG.info("This instance leads");
    for (LeaderTask task : tasks) {
      Thread thread = new Thread(() -> run(task, mine), "leader-" + task.name());
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
    elections.close();
    synchronized (this) {
      endTerm();
    }
  }

  /** Called only while the monitor is held. */
  private void endTerm() {
    term.incrementAndGet();
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + END.toNanos();
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

  private void run(LeaderTask task, long mine) {
    try {
      while (leads(mine)) {
        lead(task, mine);
        Thread.sleep(pause.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lead(LeaderTask task, long mine) throws InterruptedException {
    try {
      task.lead(() -> leads(mine));
    } catch (IOException e) {
      LOG.warn("{} was interrupted: {}; retrying", task.name(), e.toString());
    } catch (RuntimeException | Error e) {
      // Errors are caught too: a leader that does no work would keep the other instances from it.
      LOG.error("{} failed; retrying", task.name(), e);
    }
  }

  private boolean leads(long mine) {
    return term.get() == mine && elections.isLeader() && !Thread.currentThread().isInterrupted();
  }
}
