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
 * Tidies up in the data directories of the user's runs that were killed, as each run does for
 * itself that comes to its end.
 */
final class KilledRuns {

  private static final Logger LOG = LoggerFactory.getLogger(KilledRuns.class);

  private final DistributedFileSystem fs;
  private final RunDirectories directories;
  private final ApplicationId run;
  private final long mostPlanBytes;
  private final ReadBudget allowance;

  /**
   * Runs before another.
   *
   * @param run the run that looks
   * @param mostPlanBytes how long the plan of one may be behind which is tidied up
   * @param allowance for plans
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
   * Removes what a run has left under temporary names, and of commits that were cut off, if it was
   * killed. Once; what goes wrong is left to the next run. Not behind a run so large that this one
   * might find no room for the names of its files, nor behind one that has left a record: that came
   * to its end.
   *
   * <p>Of a run before the ResourceManager was started again nobody knows whether it was one of
   * this YARN, and is over, or goes on under another: only commits that were cut off are taken
   * back. One that goes on would have to be in the midst of one just now, and makes lost files
   * again.
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
      LOG.debug("{} has left nothing", other, e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot tidy up behind {}, which was killed", other, e);
    }
  }

  /** Paths of all that its tasks make. */
  private List<String> outputs(Staging directory) throws IOException {
    PlanScan plan = new PlanScan(directory, allowance::metered);
    PlanScan.Head head = plan.head();
    List<String> paths = new ArrayList<>();
    plan.tasks(task -> task.outputs().forEach(file -> paths.add(head.path(file))));
    return paths;
  }

  /**
   * YARN was asked which applications go on when this run had its plan. A run that had an
   * ApplicationMaster before, and whose application was not among them, has ended.
   */
  private boolean goesOn(ApplicationId other, Staging directory) throws IOException {
    Staging own = directories.directory(run.toString());
    return written(directory.file(Staging.STATUS)) >= written(own.file(Staging.PLAN))
        || LiveRuns.of(own).goesOn(other, directory);
  }

  /** By the clock of the NameNode. */
  private long written(Path file) throws IOException {
    return fs.getFileStatus(file).getModificationTime();
  }
}
