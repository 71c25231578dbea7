package dev.weir.nextflow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import nextflow.exception.AbortOperationException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The cluster that {@code HADOOP_CONF_DIR} names. */
final class Cluster {

  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml");

  private Cluster() {}

  /**
   * Reads the configuration.
   *
   * @param environment of this process
   * @throws AbortOperationException when the environment names no configuration
   */
  static YarnConfiguration configuration(Map<String, String> environment) {
    String directory = environment.getOrDefault("HADOOP_CONF_DIR", "");
    java.nio.file.Path core = java.nio.file.Path.of(directory, "core-site.xml");
    if (directory.isEmpty() || !Files.exists(core)) {
      throw new AbortOperationException(
          "The plugin nf-weir does not find the cluster: let HADOOP_CONF_DIR name the directory of"
              + " core-site.xml, hdfs-site.xml and yarn-site.xml");
    }
    YarnConfiguration conf = new YarnConfiguration();
    FILES.forEach(name -> conf.addResource(new Path("file:" + core.resolveSibling(name))));
    conf.setClassLoader(Cluster.class.getClassLoader());
    conf.setClass("fs.hdfs.impl", DistributedFileSystem.class, FileSystem.class);
    return conf;
  }

  /** Connects to the cluster's HDFS. */
  static HdfsFileSystem fileSystem(Map<String, String> environment) {
    try {
      FileSystem hdfs = withLoader(() -> FileSystem.get(configuration(environment)));
      return new HdfsFileSystemProvider(hdfs).fileSystem();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot connect to HDFS: " + e.getMessage() + " (HADOOP_CONF_DIR names the cluster)", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Calls to HDFS or YARN. */
  interface Calls<T> {
    T make() throws IOException, InterruptedException;
  }

  /**
   * Makes calls with the class loader of the plugin. Hadoop looks for classes with the loader of
   * the thread that calls it first, and keeps that loader, which may not know the plugin.
   */
  static <T> T withLoader(Calls<T> calls) throws IOException, InterruptedException {
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    thread.setContextClassLoader(Cluster.class.getClassLoader());
    try {
      return calls.make();
    } finally {
      thread.setContextClassLoader(loader);
    }
  }
}
