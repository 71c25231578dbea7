package dev.weir.workflow.hdfs;

import dev.weir.workflow.protocol.CommitMark;
import dev.weir.workflow.sandbox.NumberedFiles;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what attempts have left that nobody counts on any more: what has its temporary name, and
 * of an attempt that ended between the renames of its outputs those that have their names already.
 * The mark of the last one says which its outputs are, by their numbers: they go whatever their
 * names are by now, and what another attempt has put in their place stays. Any thread may use it.
 */
public final class TemporaryFileRemover {

  private static final Logger LOG = LoggerFactory.getLogger(TemporaryFileRemover.class);

  private final FileSystem fs;

  public TemporaryFileRemover(FileSystem fs) {
    this.fs = fs;
  }

  /**
   * Removes what one attempt has left; what cannot be removed now stays.
   *
   * @param temporaries temporary names of its outputs, as absolute paths, in their order
   */
  public void remove(List<String> temporaries) {
    // The last one first: an attempt that is not over after all cannot leave word then, and ends.
    for (int i = temporaries.size() - 1; i >= 0; i--) {
      Path temporary = new Path(null, null, temporaries.get(i));
      try {
        if (temporaries.size() > 1) {
          remove(temporary);
        } else {
          fs.delete(temporary, false);
        }
      } catch (IOException | RuntimeException e) {
        // It is tried again at the end of the run, which goes on meanwhile.
        LOG.debug("Cannot remove {}", temporary, e);
      }
    }
  }

  /**
   * Removes a file and what its mark names.
   *
   * @param temporary a temporary name
   * @throws IOException when something of that cannot be removed now; what comes after it stays
   */
  void remove(Path temporary) throws IOException {
    takeBack(temporary);
    fs.delete(temporary, false);
  }

  /**
   * Removes what the mark of a file names, which is all that its attempt has made. The file itself
   * is the last of them; without a mark it stays.
   *
   * @param temporary a temporary name
   * @throws IOException when something of that cannot be removed now; what comes after it stays
   */
  void takeBack(Path temporary) throws IOException {
    for (long number : marked(temporary)) {
      NumberedFiles.remove(fs, number);
    }
  }

  /** None where there is no mark, or no such file. */
  private List<Long> marked(Path temporary) throws IOException {
    try {
      byte[] mark = fs.getXAttrs(temporary).get(CommitMark.ATTRIBUTE);
      return mark == null ? List.of() : CommitMark.parse(mark).fileIds();
    } catch (IOException e) {
      if (HdfsOutages.isOne(e)) {
        throw e;
      }
      LOG.debug("{} has no mark", temporary, e);
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      LOG.warn("{} has no mark that can be read", temporary, e);
    }
    return List.of();
  }
}
