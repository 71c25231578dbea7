package dev.weir.workflow.hdfs;

import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.staging.RunPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files that lost workers of a run may have left in the data directory. */
public final class TemporaryFiles {

  private static final Logger LOG = LoggerFactory.getLogger(TemporaryFiles.class);

  private final String run;
  private final Set<String> outputs = new HashSet<>();
  private final Set<Path> directories = new HashSet<>();

  /**
   * Creates the set of a run's temporary files.
   *
   * @param run prefix of the labels of its attempts; other runs may use the same directories
   */
  public TemporaryFiles(RunPlan plan, String run) {
    this(
        plan.workflow().tasks().stream()
            .flatMap(task -> task.outputs().stream())
            .map(plan::path)
            .toList(),
        run);
  }

  /**
   * Creates the set of the temporary files of some outputs.
   *
   * @param paths of the outputs; those that end with a slash are directories of outputs that
   *     patterns find
   * @param run prefix of the labels of the attempts
   */
  public TemporaryFiles(Collection<String> paths, String run) {
    this.run = run;
    for (String path : paths) {
      outputs.add(path);
      Path output = new Path(null, null, path);
      directories.add(path.endsWith("/") ? output : output.getParent());
    }
  }

  /** Returns whether a path is the temporary name of one of the outputs in this run. */
  public boolean isTemporary(String path) {
    int infix = path.lastIndexOf(TemporaryName.INFIX);
    return infix > 0
        && outputs.contains(path.substring(0, infix))
        && path.startsWith(run, infix + TemporaryName.INFIX.length());
  }

  /**
   * Removes them by one listing of each directory, together with the committed files of interrupted
   * commits; all workers must have ended.
   *
   * @return whether none is left
   */
  public boolean remove(DistributedFileSystem fs) {
    return each(fs, new AbandonedAttemptCleaner(fs)::remove);
  }

  /**
   * Removes them by one listing of each directory, but no committed file: a run whose outputs all
   * exist relies on these, whichever attempt wrote them.
   *
   * @return whether none is left
   */
  public boolean removeUnnamed(DistributedFileSystem fs) {
    return each(fs, file -> fs.delete(file, false));
  }

  /**
   * Removes those of interrupted commits, with the committed files of these.
   *
   * @return whether none of them is left
   */
  public boolean removeMarked(DistributedFileSystem fs) {
    return each(fs, new AbandonedAttemptCleaner(fs)::removeMarked);
  }

  private boolean each(DistributedFileSystem fs, ConsumerRaisingIOE<Path> removal) {
    boolean all = true;
    for (Path directory : directories) {
      try {
        // Page by page, because there may be hundreds of thousands.
        RemoteIterator<FileStatus> files = fs.listStatusIterator(directory);
        while (files.hasNext()) {
          Path file = files.next().getPath();
          all &= !isTemporary(file.toUri().getPath()) || remove(file, removal);
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} does not exist", directory, e);
      } catch (IOException e) {
        all = false;
        LOG.warn("Cannot list files of lost workers in {}", directory, e);
      }
    }
    return all;
  }

  /** A failure for one file does not stop the removal of the others. */
  private static boolean remove(Path file, ConsumerRaisingIOE<Path> removal) {
    try {
      removal.accept(file);
      return true;
    } catch (IOException e) {
      LOG.warn("Cannot remove {} of a lost worker", file, e);
      return false;
    }
  }
}
