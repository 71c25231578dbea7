package dev.weir.workflow.run;

import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Which other runs went on when a run was submitted, as far as its client could tell. Immutable.
 */
final class LiveRuns {

  private final NavigableSet<ApplicationId> applications;

  private LiveRuns(NavigableSet<ApplicationId> applications) {
    this.applications = applications;
  }

  /**
   * Those that a run's client has seen.
   *
   * @param own the run's directory
   * @throws FileNotFoundException when the client has not said which applications went on
   * @throws IOException when that cannot be read
   */
  static LiveRuns of(Staging own) throws IOException {
    NavigableSet<ApplicationId> applications = new TreeSet<>();
    for (String id : own.readJson(Staging.OTHERS, String[].class)) {
      applications.add(ApplicationId.fromString(id));
    }
    return new LiveRuns(applications);
  }

  /**
   * Whether a run goes on: its own application does, or the session's that runs it, and the run has
   * left no end.
   *
   * @param other id of the run
   * @param directory the run's directory
   * @throws IOException when its summary cannot be read
   */
  boolean goesOn(ApplicationId other, Staging directory) throws IOException {
    // A session is older than its runs: where nothing older goes on no summary need be read.
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
