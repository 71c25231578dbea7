package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.DataListing;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files a run finds when it begins: somebody else has made them and may want them, also when
 * the run makes them again.
 */
final class FilesBefore {

  private static final Logger LOG = LoggerFactory.getLogger(FilesBefore.class);

  private FilesBefore() {}

  /**
   * Looks for them.
   *
   * @param ids of the files that matter
   * @return the ids of those that are there; all of them when that cannot be found out
   */
  static List<String> of(DistributedFileSystem fs, RunPlan plan, Collection<String> ids) {
    try {
      List<String> found = new ArrayList<>();
      DataListing.<FileStatus>search(
          plan, new HashSet<>(ids), fs::listStatusIterator, (id, status) -> found.add(id));
      return found;
    } catch (IOException e) {
      LOG.warn("It cannot be found out what is in {}: nothing is deleted", plan.dataDir(), e);
      return List.copyOf(ids);
    }
  }
}
