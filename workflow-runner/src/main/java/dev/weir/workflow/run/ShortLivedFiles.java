package dev.weir.workflow.run;

import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The files in between of the user's runs that have not ended: they may be gone in a moment, so
 * that nobody is to take them over.
 */
final class ShortLivedFiles {

  private final RunDirectories directories;
  private final String run;

  /**
   * Such files.
   *
   * @param run the run that wants to know, which is none of those
   */
  ShortLivedFiles(RunDirectories directories, String run) {
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
    Set<String> paths = new HashSet<>();
    Optional<LiveRuns> live = live();
    for (ApplicationId id : directories.ids()) {
      Staging directory = directories.directory(id.toString());
      if (!id.toString().equals(run) && mayGoOn(live, id, directory) && hasPlan(directory)) {
        RunPlan plan = directory.readJson(Staging.PLAN, RunPlan.class);
        RetentionPolicy keep = new RetentionPolicy(plan.choices().keep());
        IntermediateFiles.of(plan.workflow(), keep.files(plan.mode()))
            .forEach(file -> paths.add(plan.path(file)));
      }
    }
    return paths;
  }

  private Optional<LiveRuns> live() throws IOException {
    try {
      return Optional.of(LiveRuns.of(directories.directory(run)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Where the client has not said which applications go on, every run may. */
  private static boolean mayGoOn(Optional<LiveRuns> live, ApplicationId other, Staging directory)
      throws IOException {
    return live.isEmpty() || live.get().goesOn(other, directory);
  }

  private static boolean hasPlan(Staging directory) throws IOException {
    return !directory.names(Staging.PLAN).isEmpty();
  }
}
