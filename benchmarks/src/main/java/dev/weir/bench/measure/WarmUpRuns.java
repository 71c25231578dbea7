package dev.weir.bench.measure;

import dev.weir.bench.series.WrongResultException;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Makes runs that are not counted. The first run on a new cluster copies the runner's jars to the
 * nodes and uses daemons with uncompiled code, so it may fail.
 */
public final class WarmUpRuns {
  private static final int TRIES = 3;

  private WarmUpRuns() {}

  @FunctionalInterface
  public interface Run {
    /**
     * Makes the run.
     *
     * @throws IOException if it fails
     */
    void make() throws IOException, InterruptedException;
  }

  /**
   * Selects the runs to warm up with: one per mode, because only modes differ in the classes that
   * they load.
   *
   * @param mode returns the mode of a setup
   */
  public static <T> Collection<T> firstOfEachMode(List<T> all, Function<T, Mode> mode) {
    Map<Mode, T> first = new EnumMap<>(Mode.class);
    all.forEach(setup -> first.putIfAbsent(mode.apply(setup), setup));
    return first.values();
  }

  /**
   * Makes a run, and retries it if it fails.
   *
   * @param label its name in messages
   * @param console receives failures
   * @throws IOException if it fails for the third time
   */
  public static void of(String label, Run run, PrintWriter console)
      throws IOException, InterruptedException {
    for (int remaining = TRIES - 1; ; remaining--) {
      try {
        run.make();
        return;
      } catch (WrongResultException e) {
        throw e;
      } catch (IOException e) {
        if (remaining == 0) {
          throw e;
        }
        console.printf("  %s failed: %s%n", label, e.getMessage());
        console.flush();
      }
    }
  }
}
