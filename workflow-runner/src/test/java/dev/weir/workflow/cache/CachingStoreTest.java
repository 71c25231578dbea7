package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.transfer.DirectoryStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachingStoreTest {

  @TempDir private Path temp;

  @Test
  void masterThatConnectsDuringAReportGetsItsOwnReport() throws Exception {
    List<Message> said = new ArrayList<>();
    try (NodeCache cache =
        new NodeCache(
            CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(1 << 20)),
            Clock.systemUTC(),
            NodeCache.COPIED_BYTES)) {
      CachingStore store = new CachingStore(new DirectoryStore(temp), cache);

      store.share(
          () -> CacheSecurity.plain(Secret.generate(new SecureRandom())),
          CachingStoreTest::daemon,
          message -> {
            said.add(message);
            if (said.size() == 1) {
              store.reportAll();
            }
          },
          PortRange.ANY);
    }

    assertThat(said).hasSize(2).hasOnlyElementsOfType(Message.Serving.class);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }
}
