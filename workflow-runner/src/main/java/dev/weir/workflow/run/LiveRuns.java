package dev.weir.workflow.run;

import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The runs that were live when a run was submitted, as far as its client could see. Immutable. */
final class LiveRuns {

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
