package dev.weir.workflow.hdfs;

import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.sandbox.InodeFiles;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the outputs that abandoned attempts left in HDFS: those with temporary names and, if an
 * attempt ended between the renames of its outputs, those with final names. The mark of the last
 * output lists all outputs by their inode numbers, so they are removed under their current names,
 * and files that another attempt has committed stay. Thread-safe.
 */
public final class AbandonedAttemptCleaner {

  private static final Logger LOG = LoggerFactory.getLogger(AbandonedAttemptCleaner.class);

  private final FileSystem fs;

  public AbandonedAttemptCleaner(FileSystem fs) {
    this.fs = fs;
  }

  /**
   * Removes the files of one attempt; files that cannot be removed now stay.
   *
   * @param temporaries temporary names of its outputs, as absolute paths, in their order
   */
  public void remove(List<String> temporaries) {
    // The last output first: an attempt that is still running then fails to set its mark, and
    // ends.
    for (int i = temporaries.size() - 1; i >= 0; i--) {
      Path temporary = new Path(null, null, temporaries.get(i));
      try {
        remove(temporary);
      } catch (IOException | RuntimeException e) {
        // Retried at the end of the run, which continues meanwhile.
        LOG.debug("Cannot remove {}", temporary, e);
      }
    }
  }

  /**
   * Removes a file and the files that its mark lists.
   *
   * @throws IOException when a file cannot be removed now; the later ones then stay
   */
  void remove(Path temporary) throws IOException {
    removeMarked(temporary);
    // Outputs that patterns found are in a directory.
    fs.delete(temporary, true);
  }

  /**
   * Removes the files that the mark of a file lists, which are all outputs of its attempt. The file
   * itself is the last of them; without a mark it stays.
   *
   * @throws IOException when a file cannot be removed now; the later ones then stay
   */
  void removeMarked(Path temporary) throws IOException {
    for (long number : fileIds(temporary)) {
      InodeFiles.remove(fs, number);
    }
  }

  /** Returns an empty list when there is no mark or no such file. */
  private List<Long> fileIds(Path temporary) throws IOException {
    try {
      byte[] mark = fs.getXAttrs(temporary).get(CommitAttribute.ATTRIBUTE);
      return mark == null ? List.of() : CommitAttribute.parse(mark).fileIds();
    } catch (IOException e) {
      if (HdfsOutages.isOutage(e)) {
        throw e;
      }
      LOG.debug("{} has no mark", temporary, e);
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      LOG.warn("Cannot parse the mark of {}", temporary, e);
    }
    return List.of();
  }
}
