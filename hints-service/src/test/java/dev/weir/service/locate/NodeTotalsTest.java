package dev.weir.service.locate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.service.locate.files.FileBlock;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.Replica;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeTotalsTest {
  @Test
  void ordersNodesByBytesThenCachedBytesThenName() {
    NodeTotals totals = new NodeTotals();
    totals.add(
        file(
            block(0, 10, on("n3", false), on("n2", true), on("n1", false)),
            block(10, 5, on("n4", false))));
    totals.add(file(block(0, 1, on("n4", true))));
    assertThat(totals.best()).extracting(NodeShare::host).containsExactly("n2", "n1", "n3", "n4");
    assertThat(totals.best().get(0)).isEqualTo(new NodeShare("n2", "/r", 10, 10));
    assertThat(totals.best().get(3)).isEqualTo(new NodeShare("n4", "/r", 6, 1));
  }

  @Test
  void countsBlockOncePerHost() {
    NodeTotals totals = new NodeTotals();
    totals.add(
        file(block(0, 10, new Replica("n1", 1, "/r", true), new Replica("n1", 2, "/r", true))));
    assertThat(totals.best()).containsExactly(new NodeShare("n1", "/r", 10, 10));
  }

  @Test
  void countsShareOfStripedBlock() {
    NodeTotals totals = new NodeTotals();
    totals.add(file(new FileBlock(0, 12, 2, List.of(on("n1", false), on("n2", false)))));
    assertThat(totals.best()).extracting(NodeShare::bytes).containsExactly(2L, 2L);
  }

  private static Replica on(String host, boolean cached) {
    return new Replica(host, 9866, "/r", cached);
  }

  private static FileBlock block(long offset, long length, Replica... replicas) {
    return new FileBlock(offset, length, length, Arrays.asList(replicas));
  }

  private static FileInfo file(FileBlock... blocks) {
    return new FileInfo(false, 0, 1, 1024, Instant.EPOCH, false, false, Arrays.asList(blocks));
  }
}
