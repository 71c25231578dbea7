package dev.weir.hints.store;

import java.time.Duration;

/**
 * How long the ZooKeeper form waits for what.
 *
 * @param session the session timeout asked for
 * @param connect how long one attempt to get a session may take
 * @param probe how long one server may take to accept a TCP connection
 * @param firstRetry the pause after the first failed attempt; it doubles from then on
 * @param lastRetry the longest pause while no server accepts a TCP connection
 * @param hungRetry the longest pause while a server accepts connections and gives no session
 */
record ZooKeeperTiming(
    Duration session,
    Duration connect,
    Duration probe,
    Duration firstRetry,
    Duration lastRetry,
    Duration hungRetry) {

  static ZooKeeperTiming standard() {
    return new ZooKeeperTiming(
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        Duration.ofSeconds(2),
        Duration.ofMillis(500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(60));
  }
}
