package dev.weir.service.locate;

import java.time.Instant;
import java.util.List;

/**
 * What the NameNode says of a file, or of a directory, of which it says less.
 *
 * @param directory whether it is no file
 * @param length its bytes
 * @param replication its replication factor
 * @param blockSize the most bytes of a block
 * @param modified when it was last written
 * @param open whether it is being written
 * @param striped whether it is erasure-coded
 * @param blocks its blocks in order
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
  /** Copies the list. */
  public FileInfo {
    blocks = List.copyOf(blocks);
  }

  /** A directory. */
  static FileInfo ofDirectory() {
    return new FileInfo(true, 0, 0, 0, Instant.EPOCH, false, false, List.of());
  }
}
