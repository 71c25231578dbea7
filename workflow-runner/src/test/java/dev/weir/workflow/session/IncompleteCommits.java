package dev.weir.workflow.session;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.protocol.CommitAttribute;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Creates what a worker leaves in HDFS if it dies while it commits the outputs of a task. */
public final class IncompleteCommits {

  private IncompleteCommits() {}

  /** Creates an empty file. */
  public static Path create(DistributedFileSystem fs, String path) throws IOException {
    Path file = new Path(path);
    fs.create(file).close();
    return file;
  }

  /**
   * Writes the commit mark of all outputs of an attempt, in their order, to the last uncommitted
   * one.
   */
  public static void mark(DistributedFileSystem fs, Path unnamed, Path... outputs)
      throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (Path output : outputs) {
      numbers.add(requireNonNull(fs.getClient().getFileInfo(output.toString())).getFileId());
    }
    fs.setXAttr(unnamed, CommitAttribute.ATTRIBUTE, new CommitAttribute(numbers).toBytes());
  }

  /**
   * Creates an incomplete commit: {@code a} of the directory has its final name, {@code b} has not.
   */
  public static void halfCommit(DistributedFileSystem fs, String directory, String label)
      throws IOException {
    Path visible = create(fs, directory + "/a");
    Path last = create(fs, directory + "/b.weir-" + label);
    mark(fs, last, visible, last);
  }
}
