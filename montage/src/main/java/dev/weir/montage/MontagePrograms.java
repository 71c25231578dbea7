package dev.weir.montage;

import dev.weir.cluster.plan.ProgramLookup;
import java.util.List;
import java.util.Map;

/** The programs that the workflow runs. */
public final class MontagePrograms {

  /** What to type on Debian and its children to get them. */
  public static final String INSTALL = "apt-get install montage montage-gridtools";

  /** mDiffFit runs mDiff and mFitplane itself. */
  private static final List<String> NAMES =
      List.of(
          "mProject",
          "mImgtbl",
          "mOverlaps",
          "mDiffFit",
          "mDiff",
          "mFitplane",
          "mConcatFit",
          "mBgModel",
          "mBackground",
          "mAdd",
          "mViewer");

  private MontagePrograms() {}

  /**
   * Looks for the programs.
   *
   * @param environment the environment whose {@code PATH} counts
   * @return the names of those that are not there, none when the workflow can run
   */
  public static List<String> missing(Map<String, String> environment) {
    return ProgramLookup.missing(NAMES, environment.getOrDefault("PATH", ""));
  }
}
