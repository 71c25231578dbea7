package dev.weir.cli.hints;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Paths as people write them for {@code hadoop fs}: relative ones are below their home. */
final class HdfsPaths {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsPaths.class);
  private static final String WITH_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*://.*";

  private final Configuration configuration;

  HdfsPaths(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The absolute form, wildcards as they are; a path of another file system stays itself. */
  String resolve(String path) throws IOException {
    if (path.matches(WITH_SCHEME)) {
      return path;
    }
    return normal(path.startsWith("/") ? path : home() + "/" + path);
  }

  /** Whether no file or directory has this path; false also when that cannot be told. */
  boolean isAbsent(String path) {
    try {
      return !FileSystem.get(configuration).exists(new Path(path));
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("Whether {} is there cannot be told", path, e);
      return false;
    }
  }

  /** The default file system. */
  FileSystem fileSystem() throws IOException {
    return FileSystem.get(configuration);
  }

  private String home() throws IOException {
    if ("file".equals(FileSystem.getDefaultUri(configuration).getScheme())) {
      // No cluster is known; a home on this machine is none in HDFS.
      String homes = configuration.get("dfs.user.home.dir.prefix", "/user");
      return homes + "/" + UserGroupInformation.getCurrentUser().getShortUserName();
    }
    return FileSystem.get(configuration).getHomeDirectory().toUri().getPath();
  }

  /** Without empty components, dots and a slash at the end. */
  static String normal(String path) {
    Deque<String> components = new ArrayDeque<>();
    for (String component : path.split("/", -1)) {
      switch (component) {
        case "", "." -> {}
        case ".." -> components.pollLast();
        default -> components.addLast(component);
      }
    }
    return "/" + String.join("/", components);
  }
}
