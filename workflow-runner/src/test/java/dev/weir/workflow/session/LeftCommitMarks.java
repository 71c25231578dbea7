package dev.weir.workflow.session;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.protocol.CommitMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What a worker leaves in HDFS that dies while it gives the outputs of a task their names. */
public final class LeftCommitMarks {

  private LeftCommitMarks() {}

  /** An empty file. */
  public static Path create(DistributedFileSystem fs, String path) throws IOException {
    Path file = new Path(path);
    fs.create(file).close();
    return file;
  }

  /** Leaves word, with one that has no name yet, of all outputs of its attempt in their order. */
  public static void mark(DistributedFileSystem fs, Path unnamed, Path... outputs)
      throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (Path output : outputs) {
      numbers.add(requireNonNull(fs.getClient().getFileInfo(output.toString())).getFileId());
    }
    fs.setXAttr(unnamed, CommitMark.ATTRIBUTE, new CommitMark(numbers).toBytes());
  }

  /** Half a commit: {@code a} has its name, and {@code b} of the same directory has it not. */
  public static void halfCommit(DistributedFileSystem fs, String directory, String label)
      throws IOException {
    Path visible = create(fs, directory + "/a");
    Path last = create(fs, directory + "/b.weir-" + label);
    mark(fs, last, visible, last);
  }
}
