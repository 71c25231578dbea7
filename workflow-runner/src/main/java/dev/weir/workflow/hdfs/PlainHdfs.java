package dev.weir.workflow.hdfs;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Opens HDFS without loading every file system that Hadoop has. {@link FileSystem#get} loads them
 * all, which takes a large part of a container's start.
 */
public final class PlainHdfs {

  /** A key of the cluster's client plugin: whether files are created as hints advise. */
  public static final String HINTS_KEY = "weir.client.hints.enabled";

  /** The prefix of keys that name the class of the file systems below an overload scheme. */
  private static final String OVERLOADED = "fs.viewfs.overload.scheme.target.";

  /** Names, not classes, so that the classes are loaded only where they are configured. */
  private static final Set<String> VIEWS =
      Set.of(
          "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme",
          "org.apache.hadoop.hdfs.ViewDistributedFileSystem");

  private PlainHdfs() {}

  /**
   * Opens the file system class that the cluster's settings name; the instance is not shared.
   *
   * @throws IOException when that is no HDFS, or it cannot be opened
   */
  public static DistributedFileSystem open(URI uri, Configuration conf) throws IOException {
    Class<? extends FileSystem> of = implementation("fs." + uri.getScheme() + ".impl", uri, conf);
    if (isView(of)) {
      of = implementation(OVERLOADED + uri.getScheme() + ".impl", uri, conf);
    }
    if (of == null || !DistributedFileSystem.class.isAssignableFrom(of)) {
      throw new IOException(uri + " is no HDFS: run on a cluster with HDFS");
    }
    DistributedFileSystem fs = (DistributedFileSystem) ReflectionUtils.newInstance(of, conf);
    fs.initialize(uri, conf);
    return fs;
  }

  private static @Nullable Class<? extends FileSystem> implementation(
      String key, URI uri, Configuration conf) {
    return conf.getClass(
        key, "hdfs".equals(uri.getScheme()) ? DistributedFileSystem.class : null, FileSystem.class);
  }

  /** Whether the class mounts several file systems under the scheme of one. */
  private static boolean isView(@Nullable Class<?> of) {
    return of != null && VIEWS.contains(of.getName());
  }
}
