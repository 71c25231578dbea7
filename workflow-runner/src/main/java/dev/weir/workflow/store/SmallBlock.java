package dev.weir.workflow.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.SocketFactory;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSPacket;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.PipelineAck;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.DataChecksum;

/**
 * Sends a small block to its DataNodes on the caller's thread. It sends the request, the packets
 * and the end of the block without waiting, and then reads the answers, which are so short that
 * socket buffers hold them. Hadoop's own stream needs two threads and three round trips, because it
 * can repair a pipeline; here the caller starts again. Thread-safe.
 */
final class SmallBlock {

  private static final int ANSWER_BYTES = 512;
  private static final int REQUEST_BYTES = 1024;

  /** Size of a single write; a packet of HDFS's own size with its checksums is smaller. */
  private static final int MAX_WRITE_BYTES = 128 << 10;

  private static final long NO_GENERATION_STAMP = 0;

  private final DFSClient client;
  private final SocketFactory sockets;

  /**
   * Creates a sender.
   *
   * @param client supplies settings, its name and keys
   * @param sockets creates connections to DataNodes
   */
  SmallBlock(DFSClient client, SocketFactory sockets) {
    this.client = client;
    this.sockets = sockets;
  }

  /**
   * Sends a block.
   *
   * @param place the NameNode's answer to the request for a block
   * @param blockSize of its file
   * @param content the whole block; not empty
   * @param packetBytes content bytes in a packet; rounded down to whole checksums
   * @throws IOException unless each of its DataNodes has confirmed all of it
   */
  void send(LocatedBlock place, long blockSize, byte[] content, int packetBytes)
      throws IOException {
    DatanodeInfo[] nodes = place.getLocations();
    if (nodes.length == 0) {
      throw new IOException("the NameNode returned no DataNode for " + place.getBlock());
    }
    DfsClientConf conf = client.getConf();
    int readTimeout = timeout(conf.getSocketTimeout(), HdfsConstants.READ_TIMEOUT_EXTENSION, nodes);
    int pipelineTimeout =
        timeout(conf.getDatanodeSocketWriteTimeout(), HdfsConstants.WRITE_TIMEOUT_EXTENSION, nodes);
    try (Socket socket = connect(nodes[0], conf)) {
      socket.setSoTimeout(readTimeout);
      // The DataNode reads nothing before the pipeline is set up, for which Hadoop's stream waits
      // as long as for an answer.
      int writeTimeout = shorter(readTimeout, pipelineTimeout);
      IOStreamPair streams =
          client
              .getSaslDataTransferClient()
              .socketSend(
                  socket,
                  NetUtils.getOutputStream(socket, writeTimeout),
                  NetUtils.getInputStream(socket, readTimeout),
                  client,
                  place.getBlockToken(),
                  nodes[0]);
      int buffer = REQUEST_BYTES + Math.min(2 * content.length, MAX_WRITE_BYTES);
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out, buffer));
      DataChecksum checksum = conf.createChecksum(null);
      request(place, blockSize, checksum).writeTo(out);
      int packets = writePackets(out, content, packetBytes, checksum);
      out.flush();
      readAnswers(new BufferedInputStream(streams.in, ANSWER_BYTES), nodes, packets);
    }
  }

  private Socket connect(DatanodeInfo node, DfsClientConf conf) throws IOException {
    String host = conf.isConnectToDnViaHostname() ? node.getHostName() : node.getIpAddr();
    Socket socket = sockets.createSocket();
    try {
      NetUtils.connect(
          socket,
          NetUtils.createSocketAddrForHost(host, node.getXferPort()),
          conf.getSocketTimeout());
      socket.setTcpNoDelay(conf.getDataTransferTcpNoDelay());
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Computes the timeout as Hadoop's client does: 0 means none, and each node of the pipeline
   * extends it.
   */
  private static int timeout(int millis, int extension, DatanodeInfo[] nodes) {
    return millis > 0 ? millis + extension * nodes.length : 0;
  }

  /** Returns the shorter of two timeouts, of which 0 means none. */
  static int shorter(int one, int other) {
    return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
  }

  /** Returns the number of packets without the empty one that ends the block. */
  private static int writePackets(
      DataOutputStream out, byte[] content, int packetBytes, DataChecksum checksum)
      throws IOException {
    int each = checksum.getBytesPerChecksum();
    int packetPayload = Math.max(each, packetBytes / each * each);
    int packets = 0;
    for (int offset = 0; offset < content.length; offset += packetPayload) {
      int length = Math.min(packetPayload, content.length - offset);
      packet(content, offset, length, packets++, checksum).writeTo(out);
    }
    new DFSPacket(
            new byte[PacketHeader.PKT_MAX_HEADER_LEN],
            0,
            content.length,
            packets,
            checksum.getChecksumSize(),
            true)
        .writeTo(out);
    return packets;
  }

  /**
   * Built in memory, because Sender flushes, and the request is to be sent together with the
   * packets.
   */
  private ByteArrayOutputStream request(LocatedBlock place, long blockSize, DataChecksum checksum)
      throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream(REQUEST_BYTES);
    ExtendedBlock block = new ExtendedBlock(place.getBlock());
    block.setNumBytes(blockSize);
    DatanodeInfo[] nodes = place.getLocations();
    new Sender(new DataOutputStream(request))
        .writeBlock(
            block,
            place.getStorageTypes()[0],
            place.getBlockToken(),
            client.getClientName(),
            nodes,
            place.getStorageTypes(),
            null,
            BlockConstructionStage.PIPELINE_SETUP_CREATE,
            nodes.length,
            0,
            0,
            NO_GENERATION_STAMP,
            checksum,
            client.getDefaultWriteCachingStrategy(),
            false,
            false,
            null,
            place.getStorageIDs()[0],
            place.getStorageIDs());
    return request;
  }

  private static DFSPacket packet(
      byte[] content, int offset, int length, long number, DataChecksum checksum)
      throws IOException {
    int each = checksum.getBytesPerChecksum();
    int chunks = (length + each - 1) / each;
    byte[] sums = new byte[chunks * checksum.getChecksumSize()];
    checksum.calculateChunkedSums(content, offset, length, sums, 0);
    DFSPacket packet =
        new DFSPacket(
            new byte[PacketHeader.PKT_MAX_HEADER_LEN + sums.length + length],
            chunks,
            offset,
            number,
            checksum.getChecksumSize(),
            false);
    packet.writeChecksum(sums, 0, sums.length);
    packet.writeData(ByteBuffer.wrap(content, offset, length), length);
    return packet;
  }

  /** Reads the answers: the pipeline is ready, each packet has arrived, and the block is closed. */
  private static void readAnswers(InputStream in, DatanodeInfo[] nodes, int packets)
      throws IOException {
    BlockOpResponseProto ready = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    DataTransferProtoUtil.checkBlockOpStatus(ready, "first bad link " + ready.getFirstBadLink());
    for (long packet = 0; packet <= packets; packet++) {
      PipelineAck answer = new PipelineAck();
      answer.readFields(in);
      if (answer.getSeqno() != packet || answer.getNumOfReplies() != nodes.length) {
        throw new IOException("DataNode " + nodes[0] + " answered " + answer);
      }
      for (int i = 0; i < nodes.length; i++) {
        Status status = PipelineAck.getStatusFromHeader(answer.getHeaderFlag(i));
        if (status != Status.SUCCESS) {
          throw new IOException("DataNode " + nodes[i] + " answered " + status);
        }
      }
    }
  }
}
