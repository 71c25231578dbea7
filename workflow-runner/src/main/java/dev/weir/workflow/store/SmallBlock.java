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
 * Sends a block that is not large to its DataNodes, on the caller's thread: what is asked of them,
 * the packets and the end of the block without waiting for anything between, and then their answers
 * are read, which are so few that they find room until then. Hadoop's own stream takes two threads
 * and three turns for that, because it can mend a pipeline; here whoever asked begins anew. Any
 * thread may use it.
 */
final class SmallBlock {

  private static final int ANSWER_BYTES = 512;
  private static final int REQUEST_BYTES = 1024;

  /** What is sent at once; a packet of HDFS's own size with its checksums is less. */
  private static final int MOST_AT_ONCE = 128 << 10;

  private static final long NO_GENERATION_YET = 0;

  private final DFSClient client;
  private final SocketFactory sockets;

  /**
   * A sender.
   *
   * @param client its settings, its name and its keys are used
   * @param sockets make connections to DataNodes
   */
  SmallBlock(DFSClient client, SocketFactory sockets) {
    this.client = client;
    this.sockets = sockets;
  }

  /**
   * Sends a block.
   *
   * @param place what the NameNode has said of it
   * @param blockSize of its file
   * @param content all that it will have; not empty
   * @param packetBytes how many bytes of it a packet has; rounded down to whole checksums
   * @throws IOException when not every one of its DataNodes has said that it has all of it
   */
  void send(LocatedBlock place, long blockSize, byte[] content, int packetBytes)
      throws IOException {
    DatanodeInfo[] nodes = place.getLocations();
    if (nodes.length == 0) {
      throw new IOException("the NameNode has named no DataNode for " + place.getBlock());
    }
    DfsClientConf conf = client.getConf();
    int read = timeout(conf.getSocketTimeout(), HdfsConstants.READ_TIMEOUT_EXTENSION, nodes);
    int write =
        timeout(conf.getDatanodeSocketWriteTimeout(), HdfsConstants.WRITE_TIMEOUT_EXTENSION, nodes);
    try (Socket socket = connect(nodes[0], conf)) {
      socket.setSoTimeout(read);
      // Nobody reads before the pipeline is there, for which Hadoop's stream waits as for an
      // answer.
      int taken = shorter(read, write);
      IOStreamPair streams =
          client
              .getSaslDataTransferClient()
              .socketSend(
                  socket,
                  NetUtils.getOutputStream(socket, taken),
                  NetUtils.getInputStream(socket, read),
                  client,
                  place.getBlockToken(),
                  nodes[0]);
      int buffer = REQUEST_BYTES + Math.min(2 * content.length, MOST_AT_ONCE);
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out, buffer));
      DataChecksum checksum = conf.createChecksum(null);
      request(place, blockSize, checksum).writeTo(out);
      int packets = writePackets(out, content, packetBytes, checksum);
      out.flush();
      answers(new BufferedInputStream(streams.in, ANSWER_BYTES), nodes, packets);
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

  /** As Hadoop's client has it: 0 is for ever, and each node of the pipeline may take longer. */
  private static int timeout(int millis, int extension, DatanodeInfo[] nodes) {
    return millis > 0 ? millis + extension * nodes.length : 0;
  }

  /** Of two times to wait, of which 0 is for ever. */
  static int shorter(int one, int other) {
    return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
  }

  /** Returns how many packets there are, without the empty one that ends the block. */
  private static int writePackets(
      DataOutputStream out, byte[] content, int packetBytes, DataChecksum checksum)
      throws IOException {
    int each = checksum.getBytesPerChecksum();
    int most = Math.max(each, packetBytes / each * each);
    int packets = 0;
    for (int offset = 0; offset < content.length; offset += most) {
      int length = Math.min(most, content.length - offset);
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

  /** In memory, for whoever makes it flushes it, and it is to go together with the packets. */
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
            NO_GENERATION_YET,
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

  /** That they are ready, that they have each packet, and that they have closed the block. */
  private static void answers(InputStream in, DatanodeInfo[] nodes, int packets)
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
