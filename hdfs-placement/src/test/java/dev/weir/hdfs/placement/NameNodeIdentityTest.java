package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;

class NameNodeIdentityTest {

  @Test
  void oneOfSeveralNameNodesFindsItsHostAndNameservice() {
    Configuration conf = new Configuration(false);
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://ns1");
    conf.set(HintSettings.QUORUM_KEY, "localhost:2181");
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, "ns1");
    conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns1.nn1", "127.0.0.3:8020");
    conf.set("dfs.namenode.rpc-address.ns1.nn2", "127.0.0.4:8020");
    NameNode.initializeGenericKeys(conf, "ns1", "nn2");
    assertThat(NameNodeIdentity.host(conf)).isEqualTo("127.0.0.4:8020");
    assertThat(NameNodeIdentity.settings(HintSettings.from(conf), conf).authority())
        .isEqualTo("ns1");
  }

  @Test
  void aReconfiguredNameNodeFindsItselfInTheGeneralConfiguration() {
    Configuration conf = new Configuration(false);
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://ns1");
    conf.set(HintSettings.QUORUM_KEY, "localhost:2181");
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, "ns1");
    conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns1.nn1", "198.51.100.1:8020");
    conf.set("dfs.namenode.rpc-address.ns1.nn2", "127.0.0.1:8020");
    assertThat(NameNodeIdentity.host(conf)).isEqualTo("127.0.0.1:8020");
    assertThat(NameNodeIdentity.settings(HintSettings.from(conf), conf).authority())
        .isEqualTo("ns1");
    assertThat(conf.get("dfs.nameservice.id")).as("the given configuration").isNull();
  }

  @Test
  void anUnrecognisedNameNodeUsesTheNameservice() {
    Configuration conf = new Configuration(false);
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://ns1");
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, "ns1");
    conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns1.nn1", "198.51.100.1:8020");
    conf.set("dfs.namenode.rpc-address.ns1.nn2", "198.51.100.2:8020");
    assertThat(NameNodeIdentity.host(conf)).isEqualTo("ns1");
  }

  @Test
  void aSingleNameNodeUsesTheDefaultFileSystem() {
    Configuration conf = new Configuration(false);
    assertThat(NameNodeIdentity.host(conf)).isEmpty();
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://master:8020");
    assertThat(NameNodeIdentity.host(conf)).isEqualTo("master");
    assertThat(NameNodeIdentity.settings(HintSettings.from(conf), conf))
        .isEqualTo(HintSettings.from(conf));
  }
}
