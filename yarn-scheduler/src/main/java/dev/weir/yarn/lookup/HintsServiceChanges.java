package dev.weir.yarn.lookup;

import dev.weir.hints.client.ChangedPaths;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Gets changed files from the hints service, whose reconciler follows the NameNode's edits. Calls
 * it as the ResourceManager's own user; the answers stay in the ResourceManager.
 */
final class HintsServiceChanges implements ChangeSource {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /**
   * The status with which the service refuses this caller permanently. 401 (as during a KDC outage)
   * and 404 (an older service) may change later.
   */
  private static final Set<Integer> PERMANENT_REFUSALS = Set.of(403);

  private final Configuration conf;
  private final ClientSettings settings;
  private @Nullable HintsClient client;
  private @Nullable String mark;
  private boolean closed;

  /** Creates a source that calls the service of these settings, which must be enabled. */
  HintsServiceChanges(Configuration conf, ClientSettings settings) {
    this.conf = conf;
    this.settings = settings;
  }

  @Override
  public List<String> next() throws Exception {
    ChangedPaths changes;
    try {
      changes = client().changes(mark);
    } catch (HintsServiceException e) {
      if (PERMANENT_REFUSALS.contains(e.status())) {
        throw new NotFollowedException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (!changes.followed()) {
      throw new NotFollowedException("the hints service does not follow the NameNode's edits");
    }
    mark = changes.mark();
    return changes.paths();
  }

  private synchronized HintsClient client() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    HintsClient known = client;
    if (known == null) {
      known =
          HintsClient.open(
              conf, settings.waiting(TIMEOUT, TIMEOUT), UserGroupInformation.getLoginUser());
      client = known;
    }
    return known;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
