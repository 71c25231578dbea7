package dev.weir.service.locate.files;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPartialListing;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;

/**
 * An HDFS as one user sees it. Uses the client protocol, because the public interface does not show
 * the number of calls. {@link NameNodeErrors} classifies the exceptions.
 */
public final class FileTree {
  private static final Set<String> NO_SUCH_CALL =
      Set.of(
          UnsupportedOperationException.class.getName(),
          HadoopIllegalArgumentException.class.getName());

  private final DFSClient client;
  private final LongAdder calls;

  /**
   * Creates a view.
   *
   * @param calls counts the calls to the NameNode
   */
  FileTree(DFSClient client, LongAdder calls) {
    this.client = client;
    this.calls = calls;
  }

  /** Looks a path up; empty if it does not exist or is a symbolic link. */
  public Optional<FileInfo> find(String path) throws IOException {
    calls.increment();
    HdfsFileStatus status = client.getLocatedFileInfo(path, false);
    return status == null || status.isSymlink() ? Optional.empty() : Optional.of(info(status));
  }

  /**
   * Looks paths up in one call. Directories with many files take further calls. A Router has no
   * such call, and a NameNode may take fewer paths in it: then each path takes a call.
   */
  void find(List<FilePath> paths, UserFileTrees.Listener listener) throws IOException {
    try {
      findAtOnce(paths, listener);
    } catch (RemoteException e) {
      if (!NO_SUCH_CALL.contains(e.getClassName())) {
        throw e;
      }
      for (FilePath path : paths) {
        findAlone(path, listener);
      }
    }
  }

  private void findAlone(FilePath path, UserFileTrees.Listener listener) throws IOException {
    try {
      Optional<FileInfo> file = find(path.path());
      if (file.isEmpty()) {
        listener.failed(path, PathFault.NOT_FOUND);
      } else if (file.get().directory()) {
        listener.failed(path, PathFault.IS_DIRECTORY);
      } else {
        listener.file(path, file.get());
      }
    } catch (IOException e) {
      listener.failed(path, NameNodeErrors.fault(e));
    }
  }

  private void findAtOnce(List<FilePath> paths, UserFileTrees.Listener listener)
      throws IOException {
    List<FilePath> open = paths;
    while (!open.isEmpty()) {
      calls.increment();
      BatchedDirectoryListing answer =
          client.batchedListPaths(
              open.stream().map(FilePath::path).toArray(String[]::new),
              HdfsFileStatus.EMPTY_NAME,
              true);
      int last = 0;
      for (HdfsPartialListing part : answer.getListings()) {
        last = part.getParentIdx();
        report(open.get(last), part, listener);
      }
      // The listing ends within a directory, whose other files are not needed.
      open = answer.hasMore() ? open.subList(last + 1, open.size()) : List.of();
    }
  }

  private static void report(
      FilePath path, HdfsPartialListing part, UserFileTrees.Listener listener) throws IOException {
    RemoteException problem = part.getException();
    if (problem != null) {
      listener.failed(path, NameNodeErrors.fault(problem));
      return;
    }
    // Entries of a directory have names; a file that was itself asked for has none.
    Optional<HdfsFileStatus> file =
        part.getPartialListing().stream().filter(HdfsFileStatus::isEmptyLocalName).findFirst();
    if (file.isEmpty()) {
      listener.failed(path, PathFault.IS_DIRECTORY);
    } else if (file.get().isSymlink()) {
      listener.failed(path, PathFault.NOT_FOUND);
    } else {
      listener.file(path, info(file.get()));
    }
  }

  /**
   * Lists the files directly in a directory.
   *
   * @return false if the directory does not exist
   */
  public boolean list(String directory, Consumer<FileInfo> files) throws IOException {
    byte[] last = HdfsFileStatus.EMPTY_NAME;
    boolean more = true;
    while (more) {
      calls.increment();
      DirectoryListing page = client.listPaths(directory, last, true);
      if (page == null) {
        return false;
      }
      for (HdfsFileStatus entry : page.getPartialListing()) {
        if (entry.isFile() && !entry.isEmptyLocalName()) {
          files.accept(info(entry));
        }
      }
      last = page.getLastName();
      more = page.hasMore();
    }
    return true;
  }

  private static FileInfo info(HdfsFileStatus status) {
    if (status.isDirectory()) {
      return FileInfo.ofDirectory();
    }
    LocatedBlocks blocks =
        status instanceof HdfsLocatedFileStatus located ? located.getLocatedBlocks() : null;
    ErasureCodingPolicy coding = status.getErasureCodingPolicy();
    boolean striped = coding != null && !coding.isReplicationPolicy();
    int parts = coding != null && striped ? coding.getNumDataUnits() : 1;
    List<FileBlock> found = new ArrayList<>();
    if (blocks != null) {
      blocks.getLocatedBlocks().forEach(block -> found.add(block(block, parts)));
    }
    return new FileInfo(
        false,
        status.getLen(),
        status.getReplication(),
        status.getBlockSize(),
        Instant.ofEpochMilli(status.getModificationTime()),
        blocks != null && blocks.isUnderConstruction(),
        striped,
        found);
  }

  private static FileBlock block(LocatedBlock block, int parts) {
    Set<String> cached = new HashSet<>();
    for (DatanodeInfo node : block.getCachedLocations()) {
      cached.add(node.getXferAddr());
    }
    List<Replica> replicas = new ArrayList<>();
    if (!block.isCorrupt()) {
      for (DatanodeInfo node : block.getLocations()) {
        replicas.add(
            new Replica(
                node.getHostName(),
                node.getXferPort(),
                node.getNetworkLocation(),
                cached.contains(node.getXferAddr())));
      }
    }
    long length = block.getBlockSize();
    return new FileBlock(block.getStartOffset(), length, (length + parts - 1) / parts, replicas);
  }
}
