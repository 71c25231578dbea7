package dev.weir.workflow.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class ReplicaOrderTest {

  private static final long BLOCK = 100;

  private static LocatedBlock block(int number, String... hosts) {
    DatanodeInfo[] places =
        Arrays.stream(hosts)
            .map(host -> DFSTestUtil.getDatanodeInfo("127.0.0.1", host, 1))
            .toArray(DatanodeInfo[]::new);
    String[] storages = Arrays.stream(hosts).map(host -> "s-" + host).toArray(String[]::new);
    StorageType[] types = new StorageType[hosts.length];
    Arrays.fill(types, StorageType.DISK);
    return new LocatedBlock(
        new ExtendedBlock("pool", number, BLOCK, 1),
        places,
        storages,
        types,
        number * BLOCK,
        false,
        new DatanodeInfo[0]);
  }

  private static List<String> holders(LocatedBlock... blocks) {
    List<LocatedBlock> all = new ArrayList<>(List.of(blocks));
    LocatedBlock last = all.isEmpty() ? null : all.get(all.size() - 1);
    return ReplicaOrder.holders(
        new LocatedBlocks(all.size() * BLOCK, false, all, last, true, null, null));
  }

  @Test
  void holdersHaveAllBlocks() {
    assertThat(holders(block(0, "a", "b", "c"))).containsExactly("a", "b", "c");
    assertThat(holders(block(0, "a", "b", "c"), block(1, "d", "c", "b"))).containsExactly("b", "c");
  }

  @Test
  void fileWithSpreadBlocksHasNoHolder() {
    assertThat(holders(block(0, "a", "b"), block(1, "c", "d"), block(2, "a", "c"))).isEmpty();
    assertThat(holders(block(0), block(1, "a"))).isEmpty();
    assertThat(holders()).isEmpty();
  }
}
