package dev.weir.service.reconcile;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;

/**
 * The operations of the NameNode by which files get the replicas that they earn, as its superuser.
 * Files are named by inode id, because a path may belong to another file by now.
 */
interface ReplicaNamespace {
  /** The attribute with the replication that the owner has set. Only superusers see it. */
  String MARK = "trusted.weir.replication";

  /**
   * A file.
   *
   * @param replication the number of its replicas; 0 if it is erasure-coded
   * @param owner the user to whom it belongs
   */
  record StoredFile(
      String path,
      long id,
      long bytes,
      long blockSize,
      int replication,
      Instant modified,
      String owner) {}

  /**
   * The state of the cluster.
   *
   * @param remaining the free bytes
   * @param nodes the live DataNodes that are not leaving
   * @param lowRedundancyBlocks the blocks that wait for copies
   * @param snapshotted the directories that have snapshots
   */
  record Capacity(long remaining, int nodes, long lowRedundancyBlocks, List<String> snapshotted) {
    public Capacity {
      snapshotted = List.copyOf(snapshotted);
    }
  }

  /**
   * Visits the replicated files at and below a path.
   *
   * @throws InterruptedIOException if the thread is interrupted, which it stays
   */
  void walkFiles(String path, ConsumerRaisingIOE<StoredFile> visitor) throws IOException;

  /** Returns a file, wherever it is now; empty if it was removed. */
  Optional<StoredFile> find(long id) throws IOException;

  Optional<String> mark(long id) throws IOException;

  /**
   * Sets the mark of a file.
   *
   * @throws FileNotFoundException if the file was removed
   * @throws RefusedException if the file may not have it
   */
  void mark(long id, String value) throws IOException;

  /** Removes the mark of a file. Has no effect if the file does not exist. */
  void unmark(long id) throws IOException;

  /** Returns whether a file exists and is not being written. */
  boolean isClosed(long id) throws IOException;

  /**
   * Sets the replication of a file. Has no effect if the file does not exist.
   *
   * @throws RefusedException if the file may not have that replication
   */
  void setReplication(long id, int replication) throws IOException;

  Capacity capacity() throws IOException;
}
