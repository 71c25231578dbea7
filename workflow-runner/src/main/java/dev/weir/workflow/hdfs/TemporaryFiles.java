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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What workers of a run that were lost may have left in the data directory. */
public final class TemporaryFiles {

  private static final Logger LOG = LoggerFactory.getLogger(TemporaryFiles.class);

  private final String run;
  private final Set<String> outputs = new HashSet<>();
  private final Set<Path> directories = new HashSet<>();

  /**
   * The leftovers of a run.
   *
   * @param run what the labels of its attempts begin with; other runs may be at work here
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
   * The leftovers of attempts.
   *
   * @param paths of their outputs
   * @param run what the attempts' labels begin with
   */
  public TemporaryFiles(Collection<String> paths, String run) {
    this.run = run;
    for (String path : paths) {
      outputs.add(path);
      directories.add(new Path(null, null, path).getParent());
    }
  }

  /** Whether a path is the name that one of the outputs had before its commit in this run. */
  public boolean isOne(String path) {
    int infix = path.lastIndexOf(TemporaryName.INFIX);
    return infix > 0
        && outputs.contains(path.substring(0, infix))
        && path.startsWith(run, infix + TemporaryName.INFIX.length());
  }

  /**
   * Removes them, by one listing for each directory, and of commits that were cut off what has its
   * name already; all workers must be gone.
   *
   * @return whether none is left
   */
  public boolean remove(DistributedFileSystem fs) {
    return each(fs, new TemporaryFileRemover(fs)::remove);
  }

  /**
   * Removes them, by one listing for each directory, and nothing that has its name: that is what a
   * run counts on whose outputs are all there, whoever has put it there.
   *
   * @return whether none is left
   */
  public boolean removeUnnamed(DistributedFileSystem fs) {
    return each(fs, file -> fs.delete(file, false));
  }

  /**
   * Removes those of attempts that have renamed some of their outputs, with these.
   *
   * @return whether none of them is left
   */
  public boolean takeBack(DistributedFileSystem fs) {
    return each(fs, new TemporaryFileRemover(fs)::takeBack);
  }

  private interface Removal {
    void remove(Path temporary) throws IOException;
  }

  private boolean each(DistributedFileSystem fs, Removal removal) {
    boolean all = true;
    for (Path directory : directories) {
      try {
        // Not all at once: there may be hundreds of thousands.
        RemoteIterator<FileStatus> files = fs.listStatusIterator(directory);
        while (files.hasNext()) {
          Path file = files.next().getPath();
          all &= !isOne(file.toUri().getPath()) || remove(file, removal);
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} was never made", directory, e);
      } catch (IOException e) {
        all = false;
        LOG.warn("Cannot look for what lost workers left in {}", directory, e);
      }
    }
    return all;
  }

  /** One that cannot be removed keeps none of the others. */
  private static boolean remove(Path file, Removal removal) {
    try {
      removal.remove(file);
      return true;
    } catch (IOException e) {
      LOG.warn("Cannot remove what a lost worker left, {}", file, e);
      return false;
    }
  }
}
