package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends a block to a node that reads nothing. */
class SendTimeoutTest extends HdfsStoreTestBase {

  @ParameterizedTest
  @CsvSource({"8, 480, 8", "480, 8, 8", "0, 480, 480", "8, 0, 8", "0, 0, 0"})
  void shorterOfTwoTimeoutsWhereZeroMeansNone(int one, int other, int shorter) {
    assertThat(SmallBlock.shorter(one, other)).isEqualTo(shorter);
  }

  /** Six seconds, of which Hadoop's client gives each DataNode five. */
  @Tag("nightly")
  @Test
  void hangingNodeIsGivenUpAfterTheReadTimeout() throws Exception {
    try (ServerSocket server = new ServerSocket()) {
      server.setReceiveBufferSize(4_096);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Configuration conf = new Configuration(fs.getConf());
      conf.set("dfs.client.context", "a node that hangs");
      conf.setInt("dfs.client.socket-timeout", 1_000);
      KnownBlocksClient client = new KnownBlocksClient(fs.getClient().getNamenode(), conf);
      write("/hangs", bytes(10, 1));
      LocatedBlock real = locations("/hangs").findFirst().orElseThrow();
      DatanodeInfo hanging =
          new DatanodeInfoBuilder()
              .setFrom(real.getLocations()[0])
              .setXferPort(server.getLocalPort())
              .build();
      LocatedBlock place =
          new LocatedBlock(
              real.getBlock(),
              new DatanodeInfo[] {hanging},
              new String[] {real.getStorageIDs()[0]},
              new StorageType[] {real.getStorageTypes()[0]});
      place.setBlockToken(real.getBlockToken());
      SmallBlock blocks = new SmallBlock(client, NetUtils.getDefaultSocketFactory(conf));

      // The eight-minute write timeout would exceed the test's timeout.
      assertThatThrownBy(() -> blocks.send(place, 1L << 30, bytes(64 << 20, 2), PACKET))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("6000 millis");
    }
  }
}
