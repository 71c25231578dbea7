package dev.weir.workflow.am;

import dev.weir.workflow.run.RunPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files a run finds when it begins: somebody else has made them and may want them, also when
 * the run makes them again. By one listing for each directory.
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
    Map<Path, String> wanted = new HashMap<>();
    Set<Path> directories = new HashSet<>();
    for (String id : ids) {
      Path path = new Path(null, null, plan.path(id));
      wanted.put(path, id);
      directories.add(path.getParent());
    }
    try {
      List<String> found = new ArrayList<>();
      for (Path directory : directories) {
        list(fs, directory, wanted, found);
      }
      return found;
    } catch (IOException e) {
      LOG.warn("It cannot be found out what is in {}: nothing is deleted", plan.dataDir(), e);
      return List.copyOf(ids);
    }
  }

  private static void list(
      DistributedFileSystem fs, Path directory, Map<Path, String> wanted, List<String> found)
      throws IOException {
    try {
      RemoteIterator<FileStatus> files = fs.listStatusIterator(directory);
      while (files.hasNext()) {
        String id = wanted.get(Path.getPathWithoutSchemeAndAuthority(files.next().getPath()));
        if (id != null) {
          found.add(id);
        }
      }
    } catch (FileNotFoundException e) {
      LOG.debug("There is no {} yet", directory, e);
    }
  }
}
