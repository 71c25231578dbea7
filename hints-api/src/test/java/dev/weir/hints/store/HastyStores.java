package dev.weir.hints.store;

import dev.weir.hints.HintSettings;
import java.time.Clock;
import java.time.Duration;

/** Stores with short timeouts, for tests without ZooKeeper. */
public final class HastyStores {

  private HastyStores() {}

  /**
   * Opens a store with shorter timeouts and retry intervals than in production. Its ZooKeeper
   * sessions are as long as in production.
   *
   * @param settings the address of ZooKeeper
   * @param connect the timeout of one attempt to get a session
   * @return the store, which the caller closes
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
