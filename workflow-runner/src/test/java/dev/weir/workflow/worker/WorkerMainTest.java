package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Test;

class WorkerMainTest {
  @Test
  void aRunWithoutHintsReadsNone() throws Exception {
    assertThat(HintSettings.from(client("0", "false")).isEnabled()).isFalse();
    assertThat(HintSettings.from(client("0", "true")).isEnabled()).isTrue();
  }

  @Test
  void filesHaveTheReplicasThatTheRunAsksFor() {
    assertThat(client("1", "true").get(HdfsClientConfigKeys.DFS_REPLICATION_KEY)).isEqualTo("1");
    assertThat(client("0", "true").get(HdfsClientConfigKeys.DFS_REPLICATION_KEY)).isEqualTo("2");
  }

  private static Configuration client(String replication, String hinted) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                WorkerSettings.MASTER_HOST,
                "m",
                WorkerSettings.MASTER_PORT,
                "1",
                WorkerSettings.SECRET,
                "00",
                WorkerSettings.FILE_SYSTEM,
                "hdfs://m",
                "CONTAINER_ID",
                "c",
                "NM_HOST",
                "n1",
                "LOG_DIRS",
                "/logs"));
    environment.put(WorkerSettings.REPLICATION, replication);
    environment.put(WorkerSettings.HINTED, hinted);
    environment.put(WorkerSettings.CORES, "1");
    environment.put(WorkerSettings.MEMORY, "1000000");
    Configuration node = new Configuration(false);
    node.set(HintSettings.QUORUM_KEY, "zk:2181");
    node.set(HdfsClientConfigKeys.DFS_REPLICATION_KEY, "2");
    return WorkerMain.clientConfiguration(WorkerSettings.fromEnvironment(environment), node);
  }
}
