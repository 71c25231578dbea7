package dev.weir.workflow.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.cache.CacheKey;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.ContentChangedException;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.junit.jupiter.api.Test;

/** Reads HDFS under transfer grants, and from caches of other nodes. */
class HdfsTransferOrderTest extends HdfsStoreTestBase {

  @Test
  void largeFileIsReadFromTheGrantedNode() throws Exception {
    byte[] content = bytes(2 * BLOCK + 1, 1);
    write("/turns/large", content);
    write("/turns/small", bytes(10, 1));
    List<String> events = new ArrayList<>();
    TransferScheduler turns =
        new TransferScheduler() {
          @Override
          public boolean appliesTo(long bytes, boolean shared) {
            return bytes > BLOCK;
          }

          @Override
          public Grant acquire(Request request, CallableRaisingIOE<List<String>> holders)
              throws IOException {
            assertThat(request).isEqualTo(new Request(content.length, ""));
            assertThat(holders.apply()).containsExactlyInAnyOrder("n1", "n2");
            assertThat(holders.apply()).as("looked up twice").hasSize(2);
            events.add("grant");
            return new Grant("n2", null, (whole, fromCache) -> events.add(whole + " " + fromCache));
          }
        };
    HdfsDataStore taking = new HdfsDataStore(fs, "n1", turns);
    List<FileSlot> wanted = slots(List.of("/turns/large", "/turns/small"));
    awaitReplicas("/turns/large");

    Fetched fetched =
        requireNonNull(taking.find(wanted).get("/turns/large")).fetch(temp.resolve("large"));
    requireNonNull(taking.find(wanted).get("/turns/small")).fetch(temp.resolve("small"));

    assertThat(temp.resolve("large")).hasBinaryContent(content);
    assertThat(fetched.remoteBytes()).isEqualTo(content.length);
    assertThat(events).containsExactly("grant", "true 0");
  }

  /** A scheduler that lets a cache serve this many bytes of the content. */
  private static TransferScheduler servingFromCache(
      byte[] content, int bytes, List<String> events) {
    return new TransferScheduler() {
      @Override
      public boolean appliesTo(long size, boolean shared) {
        return true;
      }

      @Override
      public Grant acquire(Request request, CallableRaisingIOE<List<String>> holders) {
        events.add(request.content());
        boolean all = bytes == content.length;
        return new Grant(
            "n9",
            request.content().isEmpty()
                ? null
                : out -> {
                  out.write(all ? content : bytes(bytes, 2), 0, bytes);
                  return all;
                },
            (whole, fromCache) -> events.add(whole + " " + fromCache));
      }
    };
  }

  @Test
  void incompleteContentOfACacheIsReadFromHdfs() throws Exception {
    byte[] content = bytes(2 * BLOCK + 1, 1);
    write("/chain/large", content);
    for (int given : List.of(content.length, BLOCK + 7, 0)) {
      List<String> events = new ArrayList<>();
      HdfsDataStore taking = new HdfsDataStore(fs, "n8", servingFromCache(content, given, events));
      java.nio.file.Path target = temp.resolve("given" + given);
      Source source =
          requireNonNull(taking.find(slots(List.of("/chain/large"))).get("/chain/large"));

      Fetched fetched = source.fetchToShare(target, () -> events.add("again"));

      assertThat(target).hasBinaryContent(content);
      assertThat(fetched.remoteBytes()).isEqualTo(content.length);
      assertThat(fetched.crc32c()).isEqualTo(sum(content));
      String digest = CacheKey.of("/chain/large", source.version().orElseThrow()).digest();
      if (given == content.length) {
        assertThat(events).containsExactly(digest, "true " + given);
      } else {
        assertThat(events).containsExactly(digest, "false 0", "again", "", "true 0");
      }
    }
  }

  @Test
  void fileReplacedDuringACacheReadIsNotMixed() throws Exception {
    byte[] content = bytes(BLOCK + 1, 1);
    write("/chain/replaced", content);
    List<String> events = new ArrayList<>();
    HdfsDataStore taking = new HdfsDataStore(fs, "n8", servingFromCache(content, 10, events));
    Source source =
        requireNonNull(taking.find(slots(List.of("/chain/replaced"))).get("/chain/replaced"));
    write("/chain/replaced", bytes(BLOCK + 1, 2));
    java.nio.file.Path target = temp.resolve("replaced");

    assertThatThrownBy(() -> source.fetchToShare(target, () -> {}))
        .isInstanceOf(ContentChangedException.class);

    assertThat(target).doesNotExist();
    assertThat(events).endsWith("false 0");
  }
}
