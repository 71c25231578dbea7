package dev.weir.hints.store;

import dev.weir.hints.HintSettings;
import java.time.Clock;
import java.time.Duration;

/** Stores for tests of what becomes of others while ZooKeeper is away. */
public final class HastyStores {

  private HastyStores() {}

  /**
   * A store that nobody waits for as long as for a real one when ZooKeeper is away, and that is
   * there as soon as ZooKeeper is. Its sessions are as long as those of a real one.
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
