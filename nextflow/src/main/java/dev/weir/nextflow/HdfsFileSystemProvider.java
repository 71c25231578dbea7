package dev.weir.nextflow;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/** Reads and writes HDFS for the JDK's {@code Files}, as far as Nextflow needs it. */
final class HdfsFileSystemProvider extends FileSystemProvider {

  private static final int BUFFER_BYTES = 64 << 10;

  private final FileSystem hdfs;
  private final HdfsFileSystem fs;

  HdfsFileSystemProvider(FileSystem hdfs) {
    this.hdfs = hdfs;
    this.fs = new HdfsFileSystem(this, hdfs.getUri());
  }

  HdfsFileSystem fileSystem() {
    return fs;
  }

  @Override
  public String getScheme() {
    return fs.uri().getScheme();
  }

  @Override
  public HdfsFileSystem newFileSystem(URI uri, Map<String, ?> env) {
    return getFileSystem(uri);
  }

  @Override
  public HdfsFileSystem getFileSystem(URI uri) {
    String authority = uri.getAuthority();
    if (authority != null && !authority.equals(fs.uri().getAuthority())) {
      throw new IllegalArgumentException(
          uri + " is not in the file system of the cluster, " + fs.uri() + ": copy it there");
    }
    return fs;
  }

  @Override
  public Path getPath(URI uri) {
    return getFileSystem(uri).getPath(uri.getPath());
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    return new BufferedInputStream(open(path), BUFFER_BYTES);
  }

  private FSDataInputStream open(Path path) throws IOException {
    try {
      return hdfs.open(HdfsPath.of(path).hadoop());
    } catch (FileNotFoundException e) {
      throw withCause(new NoSuchFileException(path.toString()), e);
    }
  }

  private static <E extends IOException> E withCause(E failure, IOException cause) {
    failure.initCause(cause);
    return failure;
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    Set<OpenOption> chosen = Set.of(options);
    org.apache.hadoop.fs.Path file = HdfsPath.of(path).hadoop();
    if (chosen.contains(StandardOpenOption.APPEND)) {
      return exists(path) ? hdfs.append(file) : hdfs.create(file, false);
    }
    requireParent(path);
    try {
      return hdfs.create(file, !chosen.contains(StandardOpenOption.CREATE_NEW));
    } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
      throw withCause(new FileAlreadyExistsException(path.toString()), e);
    }
  }

  /** Fails if the directory of a file does not exist. HDFS itself would create it. */
  private void requireParent(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && !exists(parent)) {
      throw new NoSuchFileException(parent.toString());
    }
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    boolean writes =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    if (writes) {
      OutputStream out = newOutputStream(path, options.toArray(OpenOption[]::new));
      return new HdfsWriteChannel(Channels.newChannel(out), out);
    }
    long size = readAttributes(path, BasicFileAttributes.class).size();
    return new HdfsReadChannel(open(path), size);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    if (!status(directory).isDirectory()) {
      throw new NotDirectoryException(directory.toString());
    }
    List<Path> entries = new ArrayList<>();
    for (FileStatus entry : hdfs.listStatus(HdfsPath.of(directory).hadoop())) {
      Path path = directory.resolve(fs.getPath(entry.getPath().getName()));
      if (filter.accept(path)) {
        entries.add(path);
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return entries.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    if (exists(directory)) {
      throw new FileAlreadyExistsException(directory.toString());
    }
    requireParent(directory);
    try {
      hdfs.mkdirs(HdfsPath.of(directory).hadoop());
    } catch (ParentNotDirectoryException e) {
      throw withCause(new NoSuchFileException(directory.toString()), e);
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    try {
      if (!hdfs.delete(HdfsPath.of(path).hadoop(), false)) {
        throw new NoSuchFileException(path.toString());
      }
    } catch (PathIsNotEmptyDirectoryException e) {
      throw withCause(new DirectoryNotEmptyException(path.toString()), e);
    }
  }

  /** Copies a file to a temporary name first, so that no reader sees a part of it. */
  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    FileStatus copied = status(source);
    if (isSameFile(source, target)) {
      return;
    }
    if (copied.isDirectory()) {
      createDirectory(target);
      return;
    }
    Set<CopyOption> chosen = Set.of(options);
    requireRoom(target, chosen);
    Path temporary = fs.getPath(target.toAbsolutePath() + ".weir-" + UUID.randomUUID());
    try {
      FileUtil.copy(
          hdfs,
          HdfsPath.of(source).hadoop(),
          hdfs,
          HdfsPath.of(temporary).hadoop(),
          false,
          hdfs.getConf());
      rename(temporary, target, chosen);
    } finally {
      hdfs.delete(HdfsPath.of(temporary).hadoop(), false);
    }
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    FileStatus unused = status(source);
    if (isSameFile(source, target)) {
      return;
    }
    Set<CopyOption> chosen = Set.of(options);
    requireRoom(target, chosen);
    rename(source, target, chosen);
  }

  private void requireRoom(Path target, Set<CopyOption> options) throws IOException {
    if (!replaces(options) && exists(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    requireParent(target);
  }

  private static boolean replaces(Set<CopyOption> options) {
    return options.contains(StandardCopyOption.REPLACE_EXISTING)
        || options.contains(StandardCopyOption.ATOMIC_MOVE);
  }

  /** HDFS replaces a file atomically, but no directory by a file or vice versa. */
  private void rename(Path source, Path target, Set<CopyOption> options) throws IOException {
    org.apache.hadoop.fs.Path from = HdfsPath.of(source).hadoop();
    org.apache.hadoop.fs.Path to = HdfsPath.of(target).hadoop();
    boolean exists = exists(target);
    if (hdfs instanceof DistributedFileSystem renaming
        && (!exists || status(source).isDirectory() == status(target).isDirectory())) {
      renaming.rename(from, to, replaces(options) ? Rename.OVERWRITE : Rename.NONE);
      return;
    }
    if (exists) {
      if (options.contains(StandardCopyOption.ATOMIC_MOVE)) {
        throw new AtomicMoveNotSupportedException(
            source.toString(), target.toString(), "the target cannot be replaced atomically");
      }
      delete(target);
    }
    if (!hdfs.rename(from, to)) {
      throw new IOException("Cannot move " + source + " to " + target);
    }
  }

  @Override
  public boolean isSameFile(Path path, Path other) {
    return path.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  @Override
  public boolean isHidden(Path path) {
    Path name = path.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    FileStatus unused = status(path);
  }

  private boolean exists(Path path) throws IOException {
    return hdfs.exists(HdfsPath.of(path).hadoop());
  }

  private FileStatus status(Path path) throws IOException {
    try {
      return hdfs.getFileStatus(HdfsPath.of(path).hadoop());
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      throw withCause(new NoSuchFileException(path.toString()), e);
    }
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return type == BasicFileAttributeView.class ? type.cast(new View(path)) : null;
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type != BasicFileAttributes.class) {
      throw new UnsupportedOperationException(type.getName());
    }
    return type.cast(new Attributes(status(path)));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    BasicFileAttributes all = readAttributes(path, BasicFileAttributes.class);
    return Map.of(
        "size", all.size(),
        "isDirectory", all.isDirectory(),
        "isRegularFile", all.isRegularFile(),
        "isSymbolicLink", false,
        "lastModifiedTime", all.lastModifiedTime());
  }

  @Override
  public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
    throw new UnsupportedOperationException("Cannot set " + attribute + " of " + path);
  }

  private record Attributes(FileStatus status) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
      return FileTime.fromMillis(status.getModificationTime());
    }

    @Override
    public FileTime lastAccessTime() {
      return lastModifiedTime();
    }

    /** Returns the time of the last change, as HDFS does not store the creation time. */
    @Override
    public FileTime creationTime() {
      return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
      return status.isFile();
    }

    @Override
    public boolean isDirectory() {
      return status.isDirectory();
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public long size() {
      return status.getLen();
    }

    @Override
    public @Nullable Object fileKey() {
      return null;
    }
  }

  private final class View implements BasicFileAttributeView {
    private final Path path;

    View(Path path) {
      this.path = path;
    }

    @Override
    public String name() {
      return "basic";
    }

    @Override
    public BasicFileAttributes readAttributes() throws IOException {
      return HdfsFileSystemProvider.this.readAttributes(path, BasicFileAttributes.class);
    }

    @Override
    public void setTimes(
        @Nullable FileTime modified, @Nullable FileTime accessed, @Nullable FileTime created)
        throws IOException {
      long unchanged = -1;
      hdfs.setTimes(
          HdfsPath.of(path).hadoop(),
          modified == null ? unchanged : modified.toMillis(),
          accessed == null ? unchanged : accessed.toMillis());
    }
  }
}
