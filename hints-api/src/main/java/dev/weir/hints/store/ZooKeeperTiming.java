package dev.weir.hints.store;

import java.time.Duration;

/**
 * Timeouts of the ZooKeeper store.
 *
 * @param session the requested session timeout
 * @param connect for one attempt to get a session
 * @param probe for one server to accept a TCP connection
 * @param firstRetry the pause after the first failed attempt, which then doubles
 * @param lastRetry the longest pause while no server accepts a TCP connection
 * @param hungRetry the longest pause while a server accepts connections but gives no session
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
