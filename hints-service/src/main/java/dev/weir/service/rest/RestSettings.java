package dev.weir.service.rest;

import dev.weir.service.part.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The limits of requests, and the interval of the cleaner.
 *
 * @param body the most bytes of a request's body
 * @param awaitMax the longest that a request may wait for its change to be applied
 * @param awaits the most requests that wait concurrently
 * @param expiryInterval how often the leader looks for expired sets
 */
public record RestSettings(long body, Duration awaitMax, int awaits, Duration expiryInterval) {
  public static final Setting<Long> BODY =
      Setting.size("weir.server.limits.body", "32m", "The most bytes of a request's body.");

  public static final Setting<Duration> AWAIT_MAX =
      Setting.time(
          "weir.server.await.max",
          "60s",
          "The longest that a request with await=applied may wait; a longer timeout is reduced"
              + " to it.");

  public static final Setting<Integer> AWAITS =
      Setting.count(
          "weir.server.await.concurrent",
          100,
          1,
          10_000,
          "The most requests that wait with await=applied at a time; further ones are answered"
              + " 202 at once. Keep it below hadoop.http.max.threads, so that other requests"
              + " are still answered.");

  public static final Setting<Duration> EXPIRY_INTERVAL =
      Setting.time(
          "weir.server.expiry.interval",
          "20s",
          "How often the leader looks for expired hint sets to remove.");

  public static final List<Setting<?>> ALL = List.of(BODY, AWAIT_MAX, AWAITS, EXPIRY_INTERVAL);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public static RestSettings from(Configuration configuration) {
    return new RestSettings(
        BODY.from(configuration),
        AWAIT_MAX.from(configuration),
        AWAITS.from(configuration),
        EXPIRY_INTERVAL.from(configuration));
  }
}
