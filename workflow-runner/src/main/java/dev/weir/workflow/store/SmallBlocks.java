package dev.weir.workflow.store;

import dev.weir.workflow.transfer.DataStore;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ClientReadStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads many small blocks of one DataNode in one go: it is asked for all of them in one message,
 * which it takes one question after the other, and its answers are read as they come. Hadoop's own
 * stream asks for each block, waits for it and says that it has come: three messages, and as many
 * changes of the process. Blocks that do not come are the caller's to read otherwise. Any thread
 * may use it.
 */
final class SmallBlocks {

  private static final Logger LOG = LoggerFactory.getLogger(SmallBlocks.class);

  /** Hadoop's own packets have as many. */
  static final int MOST_BYTES = 64 << 10;

  private static final int BUFFER_BYTES = 64 << 10;
  private static final int QUESTION_BYTES = 256;

  private final DFSClient client;

  /**
   * A reader.
   *
   * @param client its kept connections, its settings and its name are used
   */
  SmallBlocks(DFSClient client) {
    this.client = client;
  }

  /**
   * The block of a file that can be read here.
   *
   * @param file not one that waits for turns or tokens
   * @param blocks of it, as they are to be read
   * @return null when it takes more than one question, or is Hadoop's own matter
   */
  @Nullable LocatedBlock block(HdfsLocatedFileStatus file, LocatedBlocks blocks) {
    if (file.getLen() == 0
        || file.getLen() > MOST_BYTES
        || blocks.locatedBlockCount() != 1
        || file.getFileEncryptionInfo() != null
        || !client.getConf().getReplicaAccessorBuilderClasses().isEmpty()) {
      return null;
    }
    LocatedBlock block = blocks.get(0);
    return block.isStriped()
            || block.isCorrupt()
            || block.getLocations().length == 0
            || block.getBlockSize() != file.getLen()
        ? null
        : block;
  }

  /**
   * What came of reading.
   *
   * @param contents those of the first blocks, whose checksums are right; of all if nothing is
   *     amiss
   * @param silent whether the DataNode could not be reached, or has said nothing for too long
   */
  record Read(List<byte[]> contents, boolean silent) {}

  /**
   * Reads blocks.
   *
   * @param node a DataNode that has them all
   * @param blocks no more than {@link DataStore#MOST_TOGETHER}, which are read from their beginning
   *     to their end
   */
  Read read(DatanodeInfo node, List<LocatedBlock> blocks) {
    Peer kept = client.getClientContext().getPeerCache().get(node, false);
    if (kept != null) {
      Read read = read(kept, node, blocks);
      if (read.silent() || !read.contents().isEmpty() || Thread.currentThread().isInterrupted()) {
        return read;
      }
      // The DataNode has closed the connection meanwhile, most likely.
    }
    try {
      InetSocketAddress address =
          NetUtils.createSocketAddr(node.getXferAddr(client.getConf().isConnectToDnViaHostname()));
      Token<BlockTokenIdentifier> token = blocks.get(0).getBlockToken();
      return read(client.newConnectedPeer(address, token, node), node, blocks);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("{} cannot be asked for {} blocks", node, blocks.size(), e);
      return new Read(List.of(), true);
    }
  }

  /** The connection is kept when it is good for more. */
  private Read read(Peer peer, DatanodeInfo node, List<LocatedBlock> blocks) {
    List<byte[]> contents = new ArrayList<>(blocks.size());
    boolean whole = false;
    boolean silent = false;
    try {
      OutputStream out = peer.getOutputStream();
      questions(blocks).writeTo(out);
      // One that encrypts keeps what it was given.
      out.flush();
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(peer.getInputStream(), BUFFER_BYTES));
      for (LocatedBlock block : blocks) {
        contents.add(content(in, block));
      }
      whole = true;
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("{} has given {} of {} blocks", node, contents.size(), blocks.size(), e);
      silent = e instanceof SocketTimeoutException;
    } finally {
      if (whole) {
        client.getClientContext().getPeerCache().put(node, peer);
      } else {
        close(peer);
      }
    }
    return new Read(contents, silent);
  }

  private static void close(Peer peer) {
    try {
      peer.close();
    } catch (IOException e) {
      LOG.debug("Cannot close {}", peer, e);
    }
  }

  /**
   * They are no more than a socket takes while nobody reads it, for the DataNode stops reading
   * while nobody reads its answers. With each goes what a reader says at the end: a DataNode reads
   * it when it has sent all.
   */
  private ByteArrayOutputStream questions(List<LocatedBlock> blocks) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(QUESTION_BYTES * blocks.size());
    DataOutputStream out = new DataOutputStream(bytes);
    Sender sender = new Sender(out);
    ClientReadStatusProto end =
        ClientReadStatusProto.newBuilder().setStatus(Status.SUCCESS).build();
    for (LocatedBlock block : blocks) {
      sender.readBlock(
          block.getBlock(),
          block.getBlockToken(),
          client.getClientName(),
          0,
          block.getBlockSize(),
          true,
          client.getDefaultReadCachingStrategy());
      end.writeDelimitedTo(out);
    }
    return bytes;
  }

  private static byte[] content(DataInputStream in, LocatedBlock of) throws IOException {
    ExtendedBlock block = of.getBlock();
    BlockOpResponseProto answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    DataTransferProtoUtil.checkBlockOpStatus(answer, "for " + block);
    DataChecksum checksum =
        DataTransferProtoUtil.fromProto(answer.getReadOpChecksumInfo().getChecksum());
    byte[] content = new byte[Math.toIntExact(of.getBlockSize())];
    int length = 0;
    while (true) {
      PacketHeader header = new PacketHeader();
      int payload = in.readInt();
      byte[] fields = new byte[in.readUnsignedShort()];
      in.readFully(fields);
      header.setFieldsFromData(payload, fields);
      int data = header.getDataLen();
      int sums = payload - Integer.BYTES - data;
      int chunks = (data + checksum.getBytesPerChecksum() - 1) / checksum.getBytesPerChecksum();
      if (data < 0
          || data > content.length - length
          || sums != chunks * checksum.getChecksumSize()
          || header.getOffsetInBlock() != length) {
        throw new IOException("unexpected packet of " + block + ": " + header);
      }
      byte[] expected = new byte[sums];
      in.readFully(expected);
      in.readFully(content, length, data);
      checksum.verifyChunkedSums(
          ByteBuffer.wrap(content, length, data),
          ByteBuffer.wrap(expected),
          block.getBlockName(),
          length);
      length += data;
      if (header.isLastPacketInBlock()) {
        if (length != content.length) {
          throw new IOException(block + " ends after " + length + " bytes");
        }
        return content;
      }
    }
  }
}
