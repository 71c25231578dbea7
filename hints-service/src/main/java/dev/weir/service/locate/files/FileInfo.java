package dev.weir.service.locate.files;

import java.time.Instant;
import java.util.List;

/**
 * The NameNode's metadata of a file. For a directory most fields are empty.
 *
 * @param length the length in bytes
 * @param replication the replication factor
 * @param blockSize the block size in bytes
 * @param modified the last modification
 * @param open whether the file is being written
 * @param striped whether it is erasure-coded
 * @param blocks the blocks in order
 */
public record FileInfo(
    boolean directory,
    long length,
    int replication,
    long blockSize,
    Instant modified,
    boolean open,
    boolean striped,
    List<FileBlock> blocks) {
  public FileInfo {
    blocks = List.copyOf(blocks);
  }

  static FileInfo ofDirectory() {
    return new FileInfo(true, 0, 0, 0, Instant.EPOCH, false, false, List.of());
  }
}
