package dev.weir.service.locate.files;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.AccessControlException;

/**
 * HDFS by its client protocol, because the public interface can neither list a directory from a
 * name on nor count its calls.
 */
final class HdfsFileTree implements FileTree {
  private final DFSClient client;
  private final LongAdder calls;

  /**
   * Creates a tree.
   *
   * @param calls counts the calls to the NameNode
   */
  HdfsFileTree(DFSClient client, LongAdder calls) {
    this.client = client;
    this.calls = calls;
  }

  @Override
  public Optional<FileInfo> find(String path) throws IOException {
    calls.increment();
    HdfsFileStatus status = client.getLocatedFileInfo(path, false);
    return status == null || status.isSymlink() ? Optional.empty() : Optional.of(info(status));
  }

  @Override
  public Optional<Page> page(String directory, byte[] after, Predicate<String> wanted)
      throws IOException {
    calls.increment();
    DirectoryListing listing = client.listPaths(directory, after, true);
    if (listing == null) {
      return Optional.empty();
    }
    Map<String, FileInfo> entries = new HashMap<>();
    HdfsFileStatus[] listed = listing.getPartialListing();
    for (HdfsFileStatus status : listed) {
      String name = status.getLocalName();
      // A listing of a path that is not a directory has one entry without a name.
      if (!name.isEmpty() && !status.isSymlink() && wanted.test(name)) {
        entries.put(name, info(status));
      }
    }
    byte[] last = listed.length == 0 ? after : listing.getLastName();
    return Optional.of(new Page(entries, last, listing.hasMore() && listed.length > 0));
  }

  @Override
  public boolean mayTraverse(String directory) throws IOException {
    calls.increment();
    try {
      client.checkAccess(directory, FsAction.EXECUTE);
      return true;
    } catch (AccessControlException e) {
      return false;
    }
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
