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
 * The intermediate files of the user's live runs. They may be deleted at any moment, so no other
 * run reuses them.
 */
final class LiveIntermediateFiles {

  private final RunDirectories directories;
  private final String run;

  /**
   * Creates the lookup.
   *
   * @param run the asking run, whose own files are not included
   */
  LiveIntermediateFiles(RunDirectories directories, String run) {
    this.directories = directories;
    this.run = run;
  }

  /**
   * Finds the files.
   *
   * @return absolute paths
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

  /** Without the client's list of live applications every run counts as live. */
  private static boolean mayGoOn(Optional<LiveRuns> live, ApplicationId other, Staging directory)
      throws IOException {
    return live.isEmpty() || live.get().goesOn(other, directory);
  }

  private static boolean hasPlan(Staging directory) throws IOException {
    return !directory.names(Staging.PLAN).isEmpty();
  }
}
