package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.TemporaryFiles;
import dev.weir.workflow.journal.AttemptLabels;
import dev.weir.workflow.journal.ReadBudget;
import dev.weir.workflow.staging.PlanScan;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cleans up the data directories of the user's killed runs, as each run does for itself at its end.
 */
final class KilledRuns {

  private static final Logger LOG = LoggerFactory.getLogger(KilledRuns.class);

  private final DistributedFileSystem fs;
  private final RunDirectories directories;
  private final ApplicationId run;
  private final long mostPlanBytes;
  private final ReadBudget allowance;

  /**
   * Creates the cleanup that a new run does.
   *
   * @param mostPlanBytes limit on the plan of a killed run
   * @param allowance bytes for plans
   */
  KilledRuns(
      RunDirectories directories, ApplicationId run, long mostPlanBytes, ReadBudget allowance) {
    this.mostPlanBytes = mostPlanBytes;
    this.allowance = allowance;
    this.fs = directories.fs();
    this.directories = directories;
    this.run = run;
  }

  /**
   * Removes a killed run's temporary files and interrupted commits, once. Failures are left to the
   * next run. Runs with a record have ended and are skipped. So are runs with a large plan, whose
   * file names might not fit in memory.
   *
   * <p>A run from before the last restart of the ResourceManager may belong to another YARN cluster
   * and still be live. Only its interrupted commits are removed. If it is live and in the middle of
   * a commit, it makes the lost files again.
   */
  void tidy(ApplicationId other) {
    Staging directory = directories.directory(other.toString());
    try {
      if (fs.exists(directory.file(Staging.TIDIED))
          || fs.exists(directory.file(Staging.RECORD))
          || directory.length(Staging.PLAN) > mostPlanBytes
          || goesOn(other, directory)) {
        return;
      }
      TemporaryFiles left = new TemporaryFiles(outputs(directory), AttemptLabels.run(other));
      boolean known = other.getClusterTimestamp() == run.getClusterTimestamp();
      if (known ? left.remove(fs) : left.removeMarked(fs)) {
        directory.write(Staging.TIDIED, out -> {});
      }
    } catch (FileNotFoundException e) {
      LOG.debug("The directory of {} no longer exists", other, e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot clean up after the killed run {}", other, e);
    }
  }

  private List<String> outputs(Staging directory) throws IOException {
    PlanScan plan = new PlanScan(directory, allowance::metered);
    PlanScan.Head head = plan.head();
    List<String> paths = new ArrayList<>();
    plan.tasks(task -> task.outputs().forEach(file -> paths.add(head.path(file))));
    return paths;
  }

  /**
   * Whether another run may be live. The client listed the live applications when this run was
   * submitted. A run that had started before and is not in the list has ended.
   */
  private boolean goesOn(ApplicationId other, Staging directory) throws IOException {
    Staging own = directories.directory(run.toString());
    return written(directory.file(Staging.STATUS)) >= written(own.file(Staging.PLAN))
        || LiveRuns.of(own).goesOn(other, directory);
  }

  /** Returns a file's modification time, by the NameNode's clock. */
  private long written(Path file) throws IOException {
    return fs.getFileStatus(file).getModificationTime();
  }
}
