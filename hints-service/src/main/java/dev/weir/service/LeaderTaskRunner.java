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
 * Runs the tasks of the leader while this instance leads, each on a thread of its own. A term ends
 * with the interruption of its threads; a new one waits for those of the last.
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
   * @param pause before a task that has ended or failed is called again
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
    LOG.info("This instance does not lead any more");
    endTerm();
  }

  @Override
  public void close() {
    elections.close();
    synchronized (this) {
      endTerm();
    }
  }

  /** Only while the monitor is held. */
  private void endTerm() {
    term.incrementAndGet();
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + END.toNanos();
    for (Thread thread : threads) {
      try {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, left));
        if (thread.isAlive()) {
          LOG.warn("{} goes on although its term is over", thread.getName());
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
      LOG.warn("{} is interrupted: {}; tried again", task.name(), e.toString());
    } catch (RuntimeException | Error e) {
      // An error, too: who leads and does not do the work keeps the others from it.
      LOG.error("{} failed; tried again", task.name(), e);
    }
  }

  private boolean leads(long mine) {
    return term.get() == mine && elections.isLeader() && !Thread.currentThread().isInterrupted();
  }
}
