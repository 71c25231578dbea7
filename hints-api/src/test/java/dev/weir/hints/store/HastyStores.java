package dev.weir.hints.store;

import dev.weir.hints.HintSettings;
import java.time.Clock;
import java.time.Duration;

/** Stores for tests of what becomes of others while ZooKeeper is away. */
public final class HastyStores {

  private HastyStores() {}

  /**
   * Opens a store with shorter timeouts and retry intervals than in production. Its ZooKeeper
   * sessions are as long as in production.
   *
   * @param settings where ZooKeeper is
   * @param connect how long one attempt to get a session may take
   * @return the store, to be closed
   */
  public static ZooKeeperHintStore open(HintSettings settings, Duration connect) {
    ZooKeeperTiming standard = ZooKeeperTiming.standard();
    return ZooKeeperHintStore.open(
        settings,
        new ZooKeeperHintStore.Watching("", "", ProcessHandle.current().pid()),
        Clock.systemUTC(),
        new ZooKeeperTiming(
            standard.session(),
            connect,
            standard.probe(),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(500)));
  }
}
