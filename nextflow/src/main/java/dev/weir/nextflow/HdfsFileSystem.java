package dev.weir.nextflow;

import java.net.URI;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** The HDFS of the cluster, as a file system of the JDK. */
final class HdfsFileSystem extends FileSystem {

  private final HdfsFileSystemProvider provider;
  private final URI uri;

  HdfsFileSystem(HdfsFileSystemProvider provider, URI uri) {
    this.provider = provider;
    this.uri = uri;
  }

  /** Returns scheme and authority. */
  URI uri() {
    return uri;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  /** Does nothing: it is open as long as the process lives. */
  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  @Override
  public HdfsPath getPath(String first, String... more) {
    return new HdfsPath(this, Path.of(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher local = FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
    return path -> local.matches(Path.of(path.toString()));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }
}
