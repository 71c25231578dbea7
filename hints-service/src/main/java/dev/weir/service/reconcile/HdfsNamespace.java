package dev.weir.service.reconcile;

import dev.weir.service.access.CacheCapacity;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The namespace of an HDFS, accessed as its superuser. */
final class HdfsNamespace implements Namespace, ReplicaNamespace {
  /** The cache pool of the paths that hints ask to be cached. */
  private static final String POOL = "weir";

  private static final String REMOVED = "{} was removed meanwhile; an edit reports it";

  private static final Logger LOG = LoggerFactory.getLogger(HdfsNamespace.class);

  private final DistributedFileSystem fs;

  HdfsNamespace(DistributedFileSystem fs) {
    this.fs = fs;
  }

  @Override
  public Optional<PathInfo> find(String path) throws IOException {
    if (!DFSUtilClient.isValidName(path)) {
      return Optional.empty();
    }
    try {
      FileStatus status = fs.getFileStatus(at(path));
      return Optional.of(info(status, path, hint(status)));
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      // A parent of the path is a file now.
      if (e.unwrapRemoteException() instanceof ParentNotDirectoryException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public int defaultReplication() throws IOException {
    return fs.getServerDefaults(at("/")).getReplication();
  }

  @Override
  public void setReplication(String path, int replication) throws IOException {
    try {
      fs.setReplication(at(path), (short) replication);
    } catch (FileNotFoundException e) {
      LOG.debug("{} was removed meanwhile", path, e);
    } catch (IOException e) {
      throw refusal("replication of " + replication + " for " + path, e);
    }
  }

  @Override
  public void delete(String path, long id) throws IOException {
    if (find(path).filter(info -> !info.directory() && info.id() == id).isPresent()) {
      try {
        fs.delete(at(path), false);
      } catch (IOException e) {
        throw refusal("removal of " + path, e);
      }
    }
  }

  @Override
  public void walk(String path, boolean hints, FunctionRaisingIOE<PathInfo, Boolean> visitor)
      throws IOException {
    Optional<PathInfo> first = find(path);
    if (first.isEmpty() || !visitor.apply(first.get())) {
      return;
    }
    if (first.get().directory()) {
      list(
          path,
          child -> {
            String name = child.getPath().toUri().getPath();
            Optional<PathInfo> found = infoOrEmpty(child, name, hints);
            return found.isEmpty() || visitor.apply(found.get());
          });
    }
  }

  /** Visits what is below a path, while the visitor returns whether to continue. */
  private void list(String path, FunctionRaisingIOE<FileStatus, Boolean> visitor)
      throws IOException {
    Deque<String> directories = new ArrayDeque<>();
    directories.add(path);
    while (!directories.isEmpty()) {
      String directory = directories.remove();
      RemoteIterator<FileStatus> children = children(directory);
      for (FileStatus child = next(directory, children);
          child != null;
          child = next(directory, children)) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while listing " + path);
        }
        if (child.isDirectory()) {
          directories.add(child.getPath().toUri().getPath());
        }
        if (!visitor.apply(child)) {
          return;
        }
      }
    }
  }

  private RemoteIterator<FileStatus> children(String directory) throws IOException {
    try {
      return fs.listStatusIterator(at(directory));
    } catch (FileNotFoundException e) {
      LOG.debug(REMOVED, directory, e);
      return RemoteIterators.remoteIteratorFromIterable(List.of());
    }
  }

  /** Returns null at the end. */
  private static @Nullable FileStatus next(String directory, RemoteIterator<FileStatus> children)
      throws IOException {
    try {
      return children.hasNext() ? children.next() : null;
    } catch (FileNotFoundException e) {
      LOG.debug(REMOVED, directory, e);
      return null;
    }
  }

  /**
   * Returns empty if the file was removed meanwhile, so that the walk continues with its siblings.
   */
  private Optional<PathInfo> infoOrEmpty(FileStatus child, String name, boolean readHint)
      throws IOException {
    try {
      return Optional.of(info(child, name, readHint ? hint(child) : null));
    } catch (FileNotFoundException e) {
      LOG.debug(REMOVED, name, e);
      return Optional.empty();
    }
  }

  @Override
  public void walkFiles(String path, ConsumerRaisingIOE<StoredFile> visitor) throws IOException {
    FileStatus first;
    try {
      first = fs.getFileStatus(at(path));
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      return;
    }
    if (first.isDirectory()) {
      list(
          path,
          child -> {
            if (!child.isDirectory() && !isStriped(child)) {
              visitor.accept(file(child));
            }
            return true;
          });
    } else if (!isStriped(first)) {
      visitor.accept(file(first));
    }
  }

  @Override
  public Optional<StoredFile> find(long id) throws IOException {
    try {
      FileStatus status = fs.getFileStatus(DFSUtilClient.makePathFromFileId(id));
      return status.isDirectory() ? Optional.empty() : Optional.of(file(status));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> mark(long id) throws IOException {
    try {
      byte[] value = fs.getXAttrs(DFSUtilClient.makePathFromFileId(id)).get(MARK);
      return Optional.ofNullable(value).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public void mark(long id, String value) throws IOException {
    try {
      fs.setXAttr(
          DFSUtilClient.makePathFromFileId(id), MARK, value.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw refusal("attribute of file " + id, e);
    }
  }

  @Override
  public void unmark(long id) throws IOException {
    try {
      if (mark(id).isPresent()) {
        fs.removeXAttr(DFSUtilClient.makePathFromFileId(id), MARK);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("File {} was removed meanwhile", id, e);
    }
  }

  @Override
  public boolean isClosed(long id) throws IOException {
    try {
      return fs.isFileClosed(DFSUtilClient.makePathFromFileId(id));
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public void setReplication(long id, int replication) throws IOException {
    setReplication(DFSUtilClient.makePathFromFileId(id).toString(), replication);
  }

  @Override
  public Capacity capacity() throws IOException {
    int nodes = 0;
    for (DatanodeInfo node : fs.getDataNodeStats(HdfsConstants.DatanodeReportType.LIVE)) {
      nodes += node.isInService() ? 1 : 0;
    }
    SnapshottableDirectoryStatus[] snapshottable = fs.getSnapshottableDirListing();
    return new Capacity(
        fs.getStatus().getRemaining(),
        nodes,
        fs.getLowRedundancyBlocksCount(),
        Stream.ofNullable(snapshottable)
            .flatMap(Stream::of)
            .filter(directory -> directory.getSnapshotNumber() > 0)
            .map(directory -> directory.getFullPath().toUri().getPath())
            .toList());
  }

  private static StoredFile file(FileStatus status) {
    return new StoredFile(
        status.getPath().toUri().getPath(),
        id(status),
        status.getLen(),
        status.getBlockSize(),
        isStriped(status) ? 0 : status.getReplication(),
        Instant.ofEpochMilli(status.getModificationTime()),
        status.getOwner());
  }

  private static boolean isStriped(FileStatus status) {
    return status instanceof HdfsFileStatus file && file.getErasureCodingPolicy() != null;
  }

  @Override
  public Set<String> cached() throws IOException {
    return new TreeSet<>(directives().keySet());
  }

  @Override
  public void cache(String path) throws IOException {
    if (!DFSUtilClient.isValidName(path)) {
      throw new RefusedException(
          "caching of " + path, new InvalidRequestException("HDFS does not allow this name"));
    }
    if (!hasPool()) {
      fs.addCachePool(new CachePoolInfo(POOL));
    }
    try {
      fs.addCacheDirective(
          new CacheDirectiveInfo.Builder().setPath(at(path)).setPool(POOL).build(),
          EnumSet.noneOf(CacheFlag.class));
    } catch (IOException e) {
      throw refusal("caching of " + path, e);
    }
  }

  @Override
  public long cacheCapacity() throws IOException {
    return CacheCapacity.capacity(fs);
  }

  @Override
  public void uncache(List<String> paths) throws IOException {
    Map<String, Long> present = paths.isEmpty() ? Map.of() : directives();
    for (String path : paths) {
      Long id = present.get(path);
      if (id != null) {
        fs.removeCacheDirective(id);
      }
    }
  }

  private Map<String, Long> directives() throws IOException {
    Map<String, Long> ids = new TreeMap<>();
    if (!hasPool()) {
      return ids;
    }
    RemoteIterator<CacheDirectiveEntry> entries =
        fs.listCacheDirectives(new CacheDirectiveInfo.Builder().setPool(POOL).build());
    while (entries.hasNext()) {
      CacheDirectiveInfo info = entries.next().getInfo();
      ids.put(info.getPath().toUri().getPath(), info.getId());
    }
    return ids;
  }

  private boolean hasPool() throws IOException {
    RemoteIterator<CachePoolEntry> pools = fs.listCachePools();
    while (pools.hasNext()) {
      if (POOL.equals(pools.next().getInfo().getPoolName())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads the attribute by inode, because the name may refer to another file, of another owner, by
   * now.
   */
  private @Nullable String hint(FileStatus status) throws IOException {
    Path inode = DFSUtilClient.makePathFromFileId(id(status));
    byte[] value = fs.getXAttrs(inode).get(HINT_ATTRIBUTE);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private static PathInfo info(FileStatus status, String path, @Nullable String hint) {
    return new PathInfo(
        path,
        id(status),
        status.isDirectory(),
        status.getReplication(),
        isStriped(status),
        status.getOwner(),
        isShared(status),
        Instant.ofEpochMilli(status.getModificationTime()),
        hint);
  }

  private static long id(FileStatus status) {
    return status instanceof HdfsFileStatus hdfs ? hdfs.getFileId() : 0;
  }

  /** With an ACL, the group bits are the mask of all entries. */
  private static boolean isShared(FileStatus status) {
    FsPermission permission = status.getPermission();
    boolean others =
        permission.getGroupAction().implies(FsAction.WRITE)
            || permission.getOtherAction().implies(FsAction.WRITE);
    // In a sticky directory HDFS lets only the owner set attributes.
    return others && !(status.isDirectory() && permission.getStickyBit());
  }

  /**
   * Returns a {@link RefusedException} for a permanent refusal of the NameNode, and temporary
   * failures unchanged.
   */
  private static IOException refusal(String what, IOException e) {
    IOException cause = unwrapped(e);
    boolean answered =
        e instanceof RemoteException
            || cause instanceof ClusterStorageCapacityExceededException
            || cause instanceof AccessControlException
            || cause instanceof InvalidRequestException;
    return answered && !isTemporary(e) ? new RefusedException(what, cause) : e;
  }

  /** Returns whether the NameNode refuses a call only for now. */
  static boolean isTemporary(IOException e) {
    IOException cause = unwrapped(e);
    return cause instanceof StandbyException
        || cause instanceof RetriableException
        || cause instanceof SafeModeException;
  }

  private static IOException unwrapped(IOException e) {
    return e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
  }

  /**
   * Uses the name unparsed, because URI parsing would misread percent signs and similar characters.
   */
  private static Path at(String path) {
    return new Path(null, null, path);
  }
}
