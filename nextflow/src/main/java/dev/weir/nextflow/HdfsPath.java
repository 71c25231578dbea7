package dev.weir.nextflow;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path in HDFS. Names are compared and joined as those of local paths. */
final class HdfsPath implements Path {

  private final HdfsFileSystem fs;
  private final Path path;

  HdfsPath(HdfsFileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  static HdfsPath of(Path path) {
    if (path instanceof HdfsPath hdfs) {
      return hdfs;
    }
    throw new ProviderMismatchException(path + " is not a path in HDFS");
  }

  /** Returns the path without scheme and authority. */
  String name() {
    return path.toString();
  }

  org.apache.hadoop.fs.Path hadoop() {
    return new org.apache.hadoop.fs.Path(null, null, toAbsolutePath().toString());
  }

  private HdfsPath with(Path other) {
    return new HdfsPath(fs, other);
  }

  private @Nullable HdfsPath withNullable(@Nullable Path other) {
    return other == null ? null : with(other);
  }

  private Path other(Path other) {
    return of(other).path;
  }

  @Override
  public FileSystem getFileSystem() {
    return fs;
  }

  @Override
  public boolean isAbsolute() {
    return path.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return withNullable(path.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return withNullable(path.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return withNullable(path.getParent());
  }

  @Override
  public int getNameCount() {
    return path.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return with(path.getName(index));
  }

  @Override
  public Path subpath(int beginIndex, int endIndex) {
    return with(path.subpath(beginIndex, endIndex));
  }

  @Override
  public boolean startsWith(Path other) {
    return other instanceof HdfsPath hdfs && path.startsWith(hdfs.path);
  }

  @Override
  public boolean endsWith(Path other) {
    return other instanceof HdfsPath hdfs && path.endsWith(hdfs.path);
  }

  @Override
  public Path normalize() {
    return with(path.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return with(path.resolve(other(other)));
  }

  @Override
  public Path relativize(Path other) {
    return with(path.relativize(other(other)));
  }

  @Override
  public URI toUri() {
    URI root = fs.uri();
    try {
      return new URI(
          root.getScheme(), root.getAuthority(), toAbsolutePath().toString(), null, null);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A relative path begins at the root: HDFS has no working directory here. */
  @Override
  public Path toAbsolutePath() {
    return isAbsolute() ? this : with(Path.of("/").resolve(path));
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    return toAbsolutePath().normalize();
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("Paths in HDFS cannot be watched");
  }

  @Override
  public int compareTo(Path other) {
    return path.compareTo(other(other));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HdfsPath hdfs && hdfs.path.equals(path) && hdfs.fs.equals(fs);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
