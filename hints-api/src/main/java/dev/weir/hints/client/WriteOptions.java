package dev.weir.hints.client;

import dev.weir.hints.client.http.ServiceCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The precondition of a write, and whether to wait for its effect.
 *
 * @param onlyVersion the required current version; 0 if there must be none; null for any
 * @param await how long the service waits until the active NameNode has applied the change; null
 *     for no wait
 */
public record WriteOptions(@Nullable Long onlyVersion, @Nullable Duration await) {
  /** Without precondition and wait. */
  public static final WriteOptions NONE = new WriteOptions(null, null);

  /**
   * Without precondition. The answer says whether the active NameNode has applied the change within
   * the timeout.
   */
  public static WriteOptions awaiting(Duration timeout) {
    return new WriteOptions(null, timeout);
  }

  /** Only if nothing exists yet. */
  public static WriteOptions onlyNew() {
    return new WriteOptions(0L, null);
  }

  /** Only if this is the current version, so that no change of others is lost. */
  public static WriteOptions onlyAt(long version) {
    return new WriteOptions(version, null);
  }

  ServiceCall applyTo(ServiceCall call) {
    ServiceCall conditional = call;
    if (onlyVersion != null) {
      conditional =
          onlyVersion == 0
              ? call.header("If-None-Match", "*")
              : call.header("If-Match", "\"" + onlyVersion + "\"");
    }
    return await == null ? conditional : conditional.awaitingApplied(await);
  }
}
