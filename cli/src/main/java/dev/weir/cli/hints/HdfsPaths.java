package dev.weir.cli.hints;

import dev.weir.hints.HintText;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.client.HintsClient;
import dev.weir.workflow.hdfs.MountedHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves paths as {@code hadoop fs} does: relative ones are below the user's home directory. */
final class HdfsPaths {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsPaths.class);
  private static final String ATTRIBUTE = "user.weir.hint";
  private static final String WITH_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*://.*";

  private final Configuration configuration;

  HdfsPaths(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Returns the absolute form. Wildcards and paths of other file systems do not change. A path that
   * the mount table has in another file system is qualified with that one.
   */
  String resolve(String path) throws IOException {
    if (path.matches(WITH_SCHEME)) {
      return path;
    }
    String absolute = normal(path.startsWith("/") ? path : home() + "/" + path);
    FileSystem fs = fileSystem();
    Path mounted = MountedHdfs.resolve(fs, new Path(null, null, absolute));
    return fs.makeQualified(new Path("/")).equals(new Path(mounted, "/"))
        ? absolute
        : mounted.toString();
  }

  /** Returns whether no file or directory has this path; false if that cannot be determined. */
  boolean isAbsent(String path) {
    try {
      Path at = new Path(path);
      return !at.getFileSystem(configuration).exists(at);
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("Whether {} is there cannot be told", path, e);
      return false;
    }
  }

  /**
   * Returns warnings about the attributes of a path and of the directories above it.
   *
   * @param path absolute path
   * @param service knows the hints that are in force
   * @return a sentence for each attribute that is not a hint, or not in force; empty if that cannot
   *     be determined
   */
  List<String> attributeWarnings(String path, HintsClient service) {
    List<String> warnings = new ArrayList<>();
    for (Path at = new Path(path); at != null; at = at.getParent()) {
      try {
        byte[] value = fileSystem().getXAttrs(at).get(ATTRIBUTE);
        if (value != null) {
          HintText.parse(new String(value, StandardCharsets.UTF_8));
          if (service.findSet(SinglePathSets.idFor(at.toUri().getPath())).isEmpty()) {
            warnings.add(
                ("the attribute %s of %s is not in force: no reconciler has made a rule "
                        + "of it yet; set the hint with 'weir hints set'")
                    .formatted(ATTRIBUTE, at));
          }
        }
      } catch (InvalidHintException e) {
        warnings.add("the attribute " + ATTRIBUTE + " of " + at + " is ignored: " + e.getMessage());
      } catch (FileNotFoundException e) {
        LOG.debug("{} does not exist", at, e);
      } catch (IOException | RuntimeException e) {
        LOG.debug("The attributes of {} cannot be read", at, e);
        return warnings;
      }
    }
    return warnings;
  }

  FileSystem fileSystem() throws IOException {
    return FileSystem.get(configuration);
  }

  /** Returns whether no cluster is known, so that the default file system is this machine's. */
  static boolean isWithoutCluster(Configuration configuration) {
    return "file".equals(FileSystem.getDefaultUri(configuration).getScheme());
  }

  private String home() throws IOException {
    if (isWithoutCluster(configuration)) {
      // No cluster is known; the home directory on this machine does not count.
      String homes = configuration.get("dfs.user.home.dir.prefix", "/user");
      return homes + "/" + UserGroupInformation.getCurrentUser().getShortUserName();
    }
    return FileSystem.get(configuration).getHomeDirectory().toUri().getPath();
  }

  /** Removes empty components, dots and a trailing slash. */
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
