package dev.weir.nextflow;

import java.nio.file.Path;
import nextflow.file.FileSystemPathFactory;
import org.jspecify.annotations.Nullable;

/** Turns texts that begin with {@code hdfs:} into paths. */
public final class HdfsPathFactory extends FileSystemPathFactory {

  private static final String SCHEME = "hdfs://";

  /** Static because Nextflow creates factories and serializers as it needs them. */
  private static @Nullable HdfsFileSystem connected;

  /** Called by Nextflow. */
  public HdfsPathFactory() {}

  /** Connects with the first path; the file system is open as long as the process lives. */
  private static synchronized HdfsFileSystem fileSystem() {
    HdfsFileSystem fs = connected;
    if (fs == null) {
      fs = Cluster.fileSystem(System.getenv());
      connected = fs;
    }
    return fs;
  }

  static @Nullable HdfsPath hdfsPath(String uri) {
    if (!uri.startsWith(SCHEME)) {
      return null;
    }
    // Not by way of a URI: '?', '#' and '%' are characters of patterns and names.
    int slash = uri.indexOf('/', SCHEME.length());
    String authority =
        slash < 0 ? uri.substring(SCHEME.length()) : uri.substring(SCHEME.length(), slash);
    HdfsFileSystem fs = fileSystem();
    if (!authority.isEmpty() && !authority.equals(fs.uri().getAuthority())) {
      throw new IllegalArgumentException(
          uri + " is not in the file system of the cluster, " + fs.uri() + ": copy it there");
    }
    return fs.getPath(slash < 0 ? "/" : uri.substring(slash));
  }

  @Override
  protected @Nullable Path parseUri(String uri) {
    HdfsPath path = hdfsPath(uri);
    return path == null ? null : path.normalize();
  }

  @Override
  protected @Nullable String toUriString(Path path) {
    return path instanceof HdfsPath hdfs ? uri(hdfs) : null;
  }

  static String uri(HdfsPath path) {
    return SCHEME
        + ((HdfsFileSystem) path.getFileSystem()).uri().getAuthority()
        + path.toAbsolutePath();
  }

  @Override
  protected @Nullable String getBashLib(Path target) {
    return null;
  }

  @Override
  protected @Nullable String getUploadCmd(String source, Path target) {
    return null;
  }
}
