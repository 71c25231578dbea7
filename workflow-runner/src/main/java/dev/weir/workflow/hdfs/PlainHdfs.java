package dev.weir.workflow.hdfs;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Opens HDFS without loading every file system that Hadoop has. {@link FileSystem#get} loads them
 * all, which takes a large part of a container's start.
 */
public final class PlainHdfs {

  /** A key of the cluster's client plugin: whether files are created as hints advise. */
  public static final String HINTS_KEY = "weir.client.hints.enabled";

  private PlainHdfs() {}

  /**
   * Opens the file system class that the cluster's settings name; the instance is not shared.
   *
   * @param uri what to open
   * @param conf the settings
   * @throws IOException when that is no HDFS, or it cannot be opened
   */
  public static DistributedFileSystem open(URI uri, Configuration conf) throws IOException {
    Class<? extends FileSystem> of =
        conf.getClass(
            "fs." + uri.getScheme() + ".impl",
            "hdfs".equals(uri.getScheme()) ? DistributedFileSystem.class : null,
            FileSystem.class);
    if (of == null || !DistributedFileSystem.class.isAssignableFrom(of)) {
      throw new IOException(uri + " is no HDFS: run on a cluster with HDFS");
    }
    DistributedFileSystem fs = (DistributedFileSystem) ReflectionUtils.newInstance(of, conf);
    fs.initialize(uri, conf);
    return fs;
  }
}
