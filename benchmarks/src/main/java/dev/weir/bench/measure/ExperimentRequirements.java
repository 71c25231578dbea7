package dev.weir.bench.measure;

import dev.weir.bench.series.SeriesException;
import dev.weir.cluster.HostKind;
import dev.weir.cluster.ProgramLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * What an experiment needs of the machine beside what it is run by: shaped links, and programs. It
 * is looked for before anything is made: inputs take minutes.
 *
 * @param missing programs of the experiment that are not on the PATH
 * @param install what to type to get them
 */
public record ExperimentRequirements(List<String> missing, String install) {

  /** Links, and no programs. */
  public static final ExperimentRequirements LINKS = new ExperimentRequirements(List.of(), "");

  /** Copies. */
  public ExperimentRequirements {
    missing = List.copyOf(missing);
  }

  /**
   * Checks that this process may shape links, and that the programs are there.
   *
   * @throws SeriesException when something is not there; the message has all remedies
   */
  public void check() throws SeriesException {
    check(HostKind.NAMESPACES.lack().stream().toList());
  }

  /**
   * The same.
   *
   * @param lacks what keeps this process from shaping links, with remedies; empty if nothing does
   */
  void check(List<String> lacks) throws SeriesException {
    List<String> all = new ArrayList<>(lacks);
    if (!missing.isEmpty()) {
      all.add(ProgramLookup.missingMessage(missing, install));
    }
    if (!all.isEmpty()) {
      throw new SeriesException(String.join(". ", all));
    }
  }
}
