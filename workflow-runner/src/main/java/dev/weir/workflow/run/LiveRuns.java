package dev.weir.workflow.run;

import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs that were live when a run was submitted, as far as its client could see. Immutable. */
final class LiveRuns {

  private static final Logger LOG = LoggerFactory.getLogger(LiveRuns.class);

  private final NavigableSet<ApplicationId> applications;

  private LiveRuns(NavigableSet<ApplicationId> applications) {
    this.applications = applications;
  }

  /**
   * Reads the client's list.
   *
   * @param own the run's directory
   * @throws FileNotFoundException when the client has written no list
   */
  static LiveRuns of(Staging own) throws IOException {
    NavigableSet<ApplicationId> applications = new TreeSet<>();
    for (String id : own.readJson(Staging.OTHERS, String[].class)) {
      applications.add(ApplicationId.fromString(id));
    }
    return new LiveRuns(applications);
  }

  /**
   * Finds the intermediate files of the user's other live runs. They may be deleted at any moment,
   * so no other run reuses them. Without the client's list every run counts as live.
   *
   * @param run the asking run
   * @return absolute paths
   */
  static Set<String> intermediateFiles(RunDirectories directories, String run) throws IOException {
    LiveRuns live = null;
    try {
      live = of(directories.directory(run));
    } catch (FileNotFoundException e) {
      LOG.debug("The client has written no list of live runs", e);
    }
    Set<String> paths = new HashSet<>();
    for (ApplicationId id : directories.ids()) {
      Staging directory = directories.directory(id.toString());
      if (!id.toString().equals(run)
          && (live == null || live.goesOn(id, directory))
          && !directory.names(Staging.PLAN).isEmpty()) {
        RunPlan plan = directory.readJson(Staging.PLAN, RunPlan.class);
        RetentionPolicy keep = new RetentionPolicy(plan.choices().keep());
        IntermediateFiles.of(plan.workflow(), keep.files(plan.mode()))
            .forEach(file -> paths.add(plan.path(file)));
      }
    }
    return paths;
  }

  /**
   * Whether a run is live: its own application or its session's is live, and the run has no end in
   * its summary.
   */
  boolean goesOn(ApplicationId other, Staging directory) throws IOException {
    // A session is older than its runs: if no older application is live, the summary need not be
    // read.
    return applications.contains(other)
        || (applications.lower(other) != null && goesOnInSession(directory));
  }

  private boolean goesOnInSession(Staging directory) throws IOException {
    try {
      RunSummary summary = directory.readJson(Staging.SUMMARY, RunSummary.class);
      return summary.end() == null
          && !summary.session().isEmpty()
          && applications.contains(ApplicationId.fromString(summary.session()));
    } catch (FileNotFoundException e) {
      return false;
    }
  }
}
