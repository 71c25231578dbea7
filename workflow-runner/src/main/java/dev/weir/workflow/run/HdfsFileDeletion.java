package dev.weir.workflow.run;

import dev.weir.workflow.hdfs.BulkLookup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files of HDFS, looked up in bulk and deleted one by one, past the trash. */
final class HdfsFileDeletion implements IntermediateFileDeleter.Store {

  private final DistributedFileSystem fs;

  HdfsFileDeletion(DistributedFileSystem fs) {
    this.fs = fs;
  }

  @Override
  public Map<String, ? extends FileStatus> find(List<String> paths) throws IOException {
    return new BulkLookup(fs.getClient()).find(paths);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return fs.delete(new Path(null, null, path), false);
  }
}
