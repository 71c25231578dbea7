package dev.weir.hints.client;

import dev.weir.hints.client.http.ServiceCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * On which condition something is written, and what is waited for.
 *
 * @param onlyVersion the version that must be the present one; 0 when there must be none; null for
 *     whatever is there
 * @param await how long the service waits until the active NameNode has taken it in; null for not
 */
public record WriteOptions(@Nullable Long onlyVersion, @Nullable Duration await) {
  /** Whatever is there, without waiting. */
  public static final WriteOptions NONE = new WriteOptions(null, null);

  /** Whatever is there; the answer says whether the active NameNode has taken it in by then. */
  public static WriteOptions awaiting(Duration timeout) {
    return new WriteOptions(null, timeout);
  }

  /** Only when nothing is there yet. */
  public static WriteOptions onlyNew() {
    return new WriteOptions(0L, null);
  }

  /** Only when that version is the present one: nobody's change is lost. */
  public static WriteOptions onlyAt(long version) {
    return new WriteOptions(version, null);
  }

  ServiceCall on(ServiceCall call) {
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
