package dev.weir.bench.series;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * Makes runs that are in no table before those that are: on a cluster that has just been started
 * the first one finds nodes without the runner's jars and daemons whose code is cold, and may fail
 * for that.
 */
public final class Rehearsal {
  private static final int TRIES = 3;

  private Rehearsal() {}

  /** Makes a run. */
  @FunctionalInterface
  public interface Run {
    /**
     * Makes it.
     *
     * @throws IOException when it fails
     */
    void make() throws IOException, InterruptedException;
  }

  /**
   * Makes a run, and makes it again when it fails.
   *
   * @param label what it is called
   * @param console is told when it fails
   * @throws IOException when it fails for the third time
   */
  public static void of(String label, Run run, PrintWriter console)
      throws IOException, InterruptedException {
    for (int left = TRIES - 1; ; left--) {
      try {
        run.make();
        return;
      } catch (WrongResultException e) {
        throw e;
      } catch (IOException e) {
        if (left == 0) {
          throw e;
        }
        console.printf("  %s failed: %s%n", label, e.getMessage());
        console.flush();
      }
    }
  }
}
