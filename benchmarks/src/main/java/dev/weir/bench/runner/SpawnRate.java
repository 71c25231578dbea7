package dev.weir.bench.runner;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The number of processes per second that Java can start on this machine, which bounds the rate of
 * tasks. Run it with {@code benchmarks/run spawn}.
 */
public final class SpawnRate {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final File NOTHING = new File("/dev/null");

  private SpawnRate() {}

  /**
   * Measures and prints.
   *
   * @param args the number of processes, the number of threads that start them, then the command
   * @throws IOException if a process cannot be started
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int count = Integer.parseInt(args[0]);
    int threads = Integer.parseInt(args[1]);
    List<String> command = List.of(args).subList(2, args.length);
    spawn(count / 10, threads, command);
    long start = System.nanoTime();
    spawn(count, threads, command);
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    System.out.printf(
        Locale.ROOT,
        "%s, %d threads, %s: %.0f a second%n",
        System.getProperty("jdk.lang.Process.launchMechanism", "default"),
        threads,
        String.join(" ", command),
        count / seconds);
  }

  private static void spawn(int count, int threads, List<String> command)
      throws IOException, InterruptedException {
    AtomicInteger remaining = new AtomicInteger(count);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> work = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      work.add(
          pool.submit(
              () -> {
                while (remaining.getAndDecrement() > 0) {
                  new ProcessBuilder(command)
                      .redirectInput(Redirect.from(NOTHING))
                      .redirectOutput(Redirect.DISCARD)
                      .redirectError(Redirect.DISCARD)
                      .start()
                      .waitFor();
                }
                return null;
              }));
    }
    try {
      for (Future<?> future : work) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("cannot start " + command, e);
    } finally {
      pool.shutdownNow();
    }
  }
}
