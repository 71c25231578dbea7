package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.io.EnumSetWritable;
import org.jspecify.annotations.NullMarked;

/** A file under construction in a NameNode, whose blocks do not exist on any DataNode. */
@NullMarked
public final class OpenFile {
  private final INodeFile file;
  private final int maxBlocks;

  private OpenFile(INodeFile file, int maxBlocks) {
    this.file = file;
    this.maxBlocks = maxBlocks;
  }

  /**
   * Creates the file.
   *
   * @param maxBlocks the maximum number of blocks; one more replaces all of them
   * @throws IOException if the NameNode refuses it
   */
  public static OpenFile create(NameNode nameNode, String path, long blockSize, int maxBlocks)
      throws IOException {
    nameNode
        .getRpcServer()
        .create(
            path,
            FsPermission.getFileDefault(),
            "benchmark",
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) 3,
            blockSize,
            null,
            null,
            null);
    INodeFile file = nameNode.getNamesystem().getFSDirectory().getINode(path).asFile();
    return new OpenFile(file, maxBlocks);
  }

  /** Adds the next block. */
  public void grow() {
    int blocks = file.numBlocks();
    if (blocks == maxBlocks) {
      file.clearBlocks();
    } else {
      file.addBlock(new BlockInfoContiguous(new Block(blocks), (short) 3));
    }
  }
}
