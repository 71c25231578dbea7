package dev.weir.workflow.am;

import dev.weir.workflow.infer.Temporaries;
import dev.weir.workflow.run.Keep;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunPlan;
import dev.weir.workflow.run.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The files in between of the user's runs that have not ended: they may be gone in a moment, so
 * that nobody is to take them over.
 */
final class PassingFiles {

  private final RunDirectories directories;
  private final String run;

  /**
   * Such files.
   *
   * @param run the run that wants to know, which is none of those
   */
  PassingFiles(RunDirectories directories, String run) {
    this.directories = directories;
    this.run = run;
  }

  /**
   * Asks for them.
   *
   * @return absolute paths
   * @throws IOException when it cannot be found out
   */
  Set<String> paths() throws IOException {
    List<String> known = directories.ids().stream().map(ApplicationId::toString).toList();
    Set<String> paths = new HashSet<>();
    for (String other : goingOn(known)) {
      Staging directory = directories.directory(other);
      // Pools have none, and one that is not among the known is another user's.
      if (known.contains(other) && !directory.names(Staging.PLAN).isEmpty()) {
        RunPlan plan = directory.readJson(Staging.PLAN, RunPlan.class);
        Keep keep = new Keep(plan.choices().keep());
        Temporaries.of(plan.workflow(), keep.files(plan.mode()))
            .forEach(id -> paths.add(plan.path(id)));
      }
    }
    return paths;
  }

  /** Of a client that has not said it, all may. */
  private List<String> goingOn(List<String> known) throws IOException {
    try {
      return Arrays.asList(directories.directory(run).readJson(Staging.OTHERS, String[].class));
    } catch (FileNotFoundException e) {
      return known.stream().filter(id -> !id.equals(run)).toList();
    }
  }
}
