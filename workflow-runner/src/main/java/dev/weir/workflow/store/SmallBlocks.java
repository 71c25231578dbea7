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
 * Reads many small blocks of one DataNode in one batch. It sends all requests in one message, which
 * the DataNode serves one after the other, and reads the answers as they arrive. Hadoop's own
 * stream requests each block, waits for it and confirms it: three messages, and as many context
 * switches. The caller reads missing blocks otherwise. Thread-safe.
 */
final class SmallBlocks {

  private static final Logger LOG = LoggerFactory.getLogger(SmallBlocks.class);

  /** The payload of Hadoop's own packets. */
  static final int MAX_BYTES = 64 << 10;

  private static final int BUFFER_BYTES = 64 << 10;
  private static final int REQUEST_BYTES = 256;

  private final DFSClient client;

  SmallBlocks(DFSClient client) {
    this.client = client;
  }

  /**
   * Returns the block of a file that this class can read.
   *
   * @param file one that needs neither a permit nor tokens
   * @param blocks of it, nearest replicas first
   * @return null when it takes more than one request, or only Hadoop's client can read it
   */
  @Nullable LocatedBlock block(HdfsLocatedFileStatus file, LocatedBlocks blocks) {
    if (file.getLen() == 0
        || file.getLen() > MAX_BYTES
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
   * The result of a read.
   *
   * @param contents those of the first blocks, with verified checksums; of all blocks unless
   *     something failed
   * @param silent whether the DataNode was unreachable or timed out
   */
  record Read(List<byte[]> contents, boolean silent) {}

  /**
   * Reads blocks.
   *
   * @param node a DataNode that has them all
   * @param blocks no more than {@link DataStore#MAX_BATCH}, which are read completely
   */
  Read read(DatanodeInfo node, List<LocatedBlock> blocks) {
    Peer cached = client.getClientContext().getPeerCache().get(node, false);
    if (cached != null) {
      Read read = read(cached, node, blocks);
      if (read.silent() || !read.contents().isEmpty() || Thread.currentThread().isInterrupted()) {
        return read;
      }
      // The DataNode has probably closed the cached connection meanwhile.
    }
    try {
      InetSocketAddress address =
          NetUtils.createSocketAddr(node.getXferAddr(client.getConf().isConnectToDnViaHostname()));
      Token<BlockTokenIdentifier> token = blocks.get(0).getBlockToken();
      return read(client.newConnectedPeer(address, token, node), node, blocks);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("Cannot request {} blocks of {}", blocks.size(), node, e);
      return new Read(List.of(), true);
    }
  }

  /** Keeps the connection when it is reusable. */
  private Read read(Peer peer, DatanodeInfo node, List<LocatedBlock> blocks) {
    List<byte[]> contents = new ArrayList<>(blocks.size());
    boolean complete = false;
    boolean silent = false;
    try {
      OutputStream out = peer.getOutputStream();
      requests(blocks).writeTo(out);
      // An encrypting stream buffers.
      out.flush();
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(peer.getInputStream(), BUFFER_BYTES));
      for (LocatedBlock block : blocks) {
        contents.add(content(in, block));
      }
      complete = true;
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("{} served {} of {} blocks", node, contents.size(), blocks.size(), e);
      silent = e instanceof SocketTimeoutException;
    } finally {
      if (complete) {
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
   * Encodes the requests, which fit into a socket's buffer: a DataNode stops reading requests while
   * its answers are not read. Each request is followed by the status that a reader sends at the
   * end, which a DataNode reads after sending the block.
   */
  private ByteArrayOutputStream requests(List<LocatedBlock> blocks) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(REQUEST_BYTES * blocks.size());
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

  private static byte[] content(DataInputStream in, LocatedBlock located) throws IOException {
    ExtendedBlock block = located.getBlock();
    BlockOpResponseProto answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    DataTransferProtoUtil.checkBlockOpStatus(answer, "for " + block);
    DataChecksum checksum =
        DataTransferProtoUtil.fromProto(answer.getReadOpChecksumInfo().getChecksum());
    byte[] content = new byte[Math.toIntExact(located.getBlockSize())];
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
