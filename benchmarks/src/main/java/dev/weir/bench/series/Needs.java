package dev.weir.bench.series;

import dev.weir.cluster.HostKind;
import java.util.ArrayList;
import java.util.List;

/**
 * What experiments need of the machine, looked for before anything is made: inputs take minutes.
 */
public final class Needs {
  private Needs() {}

  /**
   * Checks that this process may make nodes with shaped links.
   *
   * @throws SeriesException when it may not; the message has the remedy
   */
  public static void check() throws SeriesException {
    check(List.of(), "");
  }

  /**
   * The same, and that programs are there.
   *
   * @param missing programs that are not on the PATH
   * @param install what to type to get them
   * @throws SeriesException when something is not there; the message has the remedies
   */
  public static void check(List<String> missing, String install) throws SeriesException {
    require(HostKind.NAMESPACES.lack().stream().toList(), missing, install);
  }

  /**
   * The same.
   *
   * @param lacks what keeps this process from shaping links, with remedies; empty if nothing does
   */
  static void require(List<String> lacks, List<String> missing, String install)
      throws SeriesException {
    List<String> all = new ArrayList<>(lacks);
    if (!missing.isEmpty()) {
      all.add(
          "Programs that are not on the PATH: "
              + String.join(", ", missing)
              + ". Install them: "
              + install);
    }
    if (!all.isEmpty()) {
      throw new SeriesException(String.join(". ", all));
    }
  }
}
