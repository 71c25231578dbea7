package dev.weir.yarn;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** Keeps tasks until it is told to run them; or runs them at once. */
public final class ManualExecutor implements Executor {

  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean atOnce;

  public static ManualExecutor atOnce() {
    ManualExecutor executor = new ManualExecutor();
    executor.atOnce = true;
    return executor;
  }

  @Override
  public void execute(Runnable task) {
    if (atOnce) {
      task.run();
    } else {
      waiting.add(task);
    }
  }

  public int waiting() {
    return waiting.size();
  }

  public void runAll() {
    for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
      task.run();
    }
  }
}
