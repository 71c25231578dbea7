package dev.weir.yarn.lookup;

import dev.weir.hints.client.ChangedPaths;
import dev.weir.hints.client.ClientSettings;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.HintsServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Asks the hints service, whose reconciler follows the NameNode's edits, as the ResourceManager's
 * own user. What it is told stays in the ResourceManager.
 */
final class HintsServiceChanges implements ChangeSource {

  private static final Duration BOUND = Duration.ofSeconds(5);

  /**
   * The service tells this caller nothing. One that cannot say who it is (401), as while a KDC is
   * away, or asks an older service (404), may have more luck later.
   */
  private static final Set<Integer> NEVER = Set.of(403);

  private final Configuration conf;
  private final ClientSettings settings;
  private @Nullable HintsClient client;
  private @Nullable String mark;
  private boolean closed;

  /** Asks the service of these settings, which must be enabled. */
  HintsServiceChanges(Configuration conf, ClientSettings settings) {
    this.conf = conf;
    this.settings = settings;
  }

  @Override
  public List<String> next() throws Exception {
    ChangedPaths told;
    try {
      told = client().changes(mark);
    } catch (HintsServiceException e) {
      if (NEVER.contains(e.status())) {
        throw new NotFollowedException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (!told.followed()) {
      throw new NotFollowedException("the hints service follows no edits");
    }
    mark = told.mark();
    return told.paths();
  }

  private synchronized HintsClient client() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    HintsClient known = client;
    if (known == null) {
      known =
          HintsClient.open(
              conf, settings.waiting(BOUND, BOUND), UserGroupInformation.getLoginUser());
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
