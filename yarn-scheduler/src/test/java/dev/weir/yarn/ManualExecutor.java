package dev.weir.yarn;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** Runs tasks when the test requests it, or immediately. */
public final class ManualExecutor implements Executor {

  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean immediate;

  public static ManualExecutor immediate() {
    ManualExecutor executor = new ManualExecutor();
    executor.immediate = true;
    return executor;
  }

  @Override
  public void execute(Runnable task) {
    if (immediate) {
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
