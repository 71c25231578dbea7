package dev.weir.bench.measure;

import dev.weir.bench.series.WrongResultException;
import dev.weir.workflow.run.Mode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Makes runs that are in no table before those that are: on a cluster that has just been started
 * the first one finds nodes without the runner's jars and daemons whose code is cold, and may fail
 * for that.
 */
public final class WarmUpRuns {
  private static final int TRIES = 3;

  private WarmUpRuns() {}

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
   * What is to be rehearsed: modes differ in what is loaded, and what differs otherwise does not.
   *
   * @param mode that of one
   * @return the first of each mode
   */
  public static <T> Collection<T> firstOfEachMode(List<T> all, Function<T, Mode> mode) {
    Map<Mode, T> first = new EnumMap<>(Mode.class);
    all.forEach(one -> first.putIfAbsent(mode.apply(one), one));
    return first.values();
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
