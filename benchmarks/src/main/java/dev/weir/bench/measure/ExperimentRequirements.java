package dev.weir.bench.measure;

import dev.weir.bench.series.SeriesException;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.ProgramLookup;
import java.util.ArrayList;
import java.util.List;

/**
 * The requirements of an experiment on the machine: shaped links, and programs. They are checked
 * first, because creating the inputs takes minutes.
 *
 * @param missing programs of the experiment that are not on the PATH
 * @param install the command that installs them
 */
public record ExperimentRequirements(List<String> missing, String install) {

  /** Shaped links, and no programs. */
  public static final ExperimentRequirements LINKS = new ExperimentRequirements(List.of(), "");

  public ExperimentRequirements {
    missing = List.copyOf(missing);
  }

  /**
   * Checks that this process may shape links, and that no programs are missing.
   *
   * @throws SeriesException if a requirement is not met; the message has all remedies
   */
  public void check() throws SeriesException {
    check(HostKind.NAMESPACES.lack().stream().toList());
  }

  /**
   * Checks with known results for links.
   *
   * @param linkProblems why this process cannot shape links, with remedies; empty if it can
   */
  void check(List<String> linkProblems) throws SeriesException {
    List<String> problems = new ArrayList<>(linkProblems);
    if (!missing.isEmpty()) {
      problems.add(ProgramLookup.missingMessage(missing, install));
    }
    if (!problems.isEmpty()) {
      throw new SeriesException(String.join(". ", problems));
    }
  }
}
