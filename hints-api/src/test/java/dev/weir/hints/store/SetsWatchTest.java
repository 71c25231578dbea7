package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.listen.ListenerManager;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SetsWatchTest {
  private static final String SETS = "/weir/sets";

  private final AtomicInteger loads = new AtomicInteger();
  private final SetsWatch watch = new SetsWatch(SETS, loads::incrementAndGet);
  private TestingServer server;
  private CuratorFramework client;

  @BeforeEach
  void connect() throws Exception {
    server = new TestingServer(true);
    client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
    client.start();
    client.create().creatingParentsIfNeeded().forPath(SETS);
  }

  @AfterEach
  void disconnect() throws Exception {
    watch.close();
    client.close();
    server.close();
  }

  /** Returns the number of connection state listeners. Each started watch has one. */
  private int watchCount() {
    return ((ListenerManager<?, ?>) client.getConnectionStateListenable()).size();
  }

  @Test
  void reportsChangesUntilClosed() throws Exception {
    int before = watchCount();
    watch.begin(client);
    await().until(() -> loads.get() > 0);
    int begun = loads.get();

    client.create().forPath(SETS + "/a", new byte[0]);

    await().until(() -> loads.get() > begun);
    watch.close();
    assertThat(watchCount()).isEqualTo(before);
  }

  @Test
  void closedWatchStartsNothing() {
    int before = watchCount();
    watch.close();

    watch.begin(client);

    assertThat(watchCount()).isEqualTo(before);
    assertThat(loads).hasValue(0);
  }
}
