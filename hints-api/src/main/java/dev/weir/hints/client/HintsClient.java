package dev.weir.hints.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.client.http.Answer;
import dev.weir.hints.client.http.CallerIdentity;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.hints.client.http.HttpExchange;
import dev.weir.hints.client.http.RetryTimer;
import dev.weir.hints.client.http.ServiceCall;
import dev.weir.hints.client.http.ServiceConnection;
import dev.weir.hints.client.http.TlsClientConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The Java client of the hints service. A call goes to the instance that answered last and skips
 * instances that are unavailable. Repeatable calls are retried with pauses. Every wait is limited,
 * see {@link ClientSettings}. Connections are reused. Thread-safe; one client is enough for a
 * process.
 *
 * <p>The caller is the user that the client was opened for, authenticated by Kerberos if the
 * cluster has it. A proxy user is authenticated by its real user.
 *
 * <p>Methods throw {@link HintsServiceException} if the service refuses or does not answer, and
 * {@link java.io.InterruptedIOException} if the thread is interrupted.
 */
public final class HintsClient implements AutoCloseable {
  private static final int NOT_FOUND = 404;

  private final ServiceConnection connection;
  private final TlsClientConfig tls;
  private final boolean sharesConnections;

  private HintsClient(
      ServiceConnection connection, TlsClientConfig tls, boolean sharesConnections) {
    this.connection = connection;
    this.tls = tls;
    this.sharesConnections = sharesConnections;
  }

  /**
   * Opens a client with the configuration's settings for the current user.
   *
   * @throws dev.weir.hints.InvalidHintException if a setting is invalid
   */
  public static HintsClient open(Configuration configuration) throws IOException {
    return open(
        configuration, ClientSettings.from(configuration), UserGroupInformation.getCurrentUser());
  }

  /**
   * Opens a client.
   *
   * @param configuration for TLS
   * @param settings the service's address and time limits
   * @param user the caller
   */
  public static HintsClient open(
      Configuration configuration, ClientSettings settings, UserGroupInformation user)
      throws IOException {
    return open(configuration, settings, user, RetryTimer.real());
  }

  public static HintsClient open(
      Configuration configuration,
      ClientSettings settings,
      UserGroupInformation user,
      RetryTimer retryTimer)
      throws IOException {
    TlsClientConfig tls = TlsClientConfig.forUrls(settings.urls(), configuration);
    HttpExchange exchange = new HttpExchange(settings, new CallerIdentity(user, tls), tls);
    return new HintsClient(new ServiceConnection(settings, exchange, retryTimer), tls, false);
  }

  /**
   * A client for another user that shares the connections and threads of this one. Closing it has
   * no effect; this one must be closed after its last call.
   */
  public HintsClient as(UserGroupInformation user) {
    return new HintsClient(connection.as(new CallerIdentity(user, tls)), tls, true);
  }

  /** Sends any call; for callers that need the service's JSON. */
  public Answer send(ServiceCall call) throws IOException {
    return connection.send(call);
  }

  /**
   * Sends a call and writes its answer, of any length, to a file as it arrives. The time limit
   * restarts whenever more arrives.
   *
   * @param file the target; an existing one is replaced, and it may be incomplete if this throws
   */
  public void save(ServiceCall call, Path file) throws IOException {
    connection.send(call, file);
  }

  /** Creates or replaces a hint set. The set's owner is only used if an administrator calls. */
  public WriteResult putSet(HintSet set, WriteOptions options) throws IOException {
    return WriteResult.of(
        send(ServiceCalls.putSet(set.id(), ModelJson.write(set), options)), set.id());
  }

  /** A hint set; empty if it does not exist. */
  public Optional<VersionedSet> findSet(String id) throws IOException {
    Optional<Answer> answer = find(ServiceCalls.set(id));
    return answer.isEmpty() ? Optional.empty() : Optional.of(VersionedSet.of(answer.get()));
  }

  /** Changes a hint set. Concurrent changes of others are kept. */
  public WriteResult patchSet(String id, SetChange change, WriteOptions options)
      throws IOException {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("rules", ModelJson.write(change.rules()));
    if (!change.remove().isEmpty()) {
      change.remove().forEach(body.putArray("remove")::add);
    }
    Instant expires = change.expires();
    if (expires != null) {
      body.put("expires", expires.toString());
    }
    return WriteResult.of(send(ServiceCalls.patchSet(id, body, options)), id);
  }

  /**
   * Removes a hint set.
   *
   * @return whether it existed
   */
  public boolean removeSet(String id) throws IOException {
    return find(ServiceCalls.removeSet(id, WriteOptions.NONE)).isPresent();
  }

  /**
   * Removes a hint set if it is at the given version.
   *
   * @return whether it existed
   */
  public boolean removeSet(String id, long version) throws IOException {
    return find(ServiceCalls.removeSet(id, WriteOptions.onlyAt(version))).isPresent();
  }

  /** Sets a hint set to expire after a time from now. */
  public WriteResult keepAlive(String id, Duration time) throws IOException {
    return WriteResult.of(send(ServiceCalls.keepAlive(id, time)), id);
  }

  /** Sets a hint set to expire at a time. */
  public WriteResult keepAlive(String id, Instant end) throws IOException {
    return WriteResult.of(send(ServiceCalls.keepAlive(id, end)), id);
  }

  /** A page of the list of hint sets. */
  public SetPage sets(SetQuery query) throws IOException {
    return SetPage.of(send(ServiceCalls.sets(query)).json());
  }

  /** The hint that applies to a path; empty if there is none. */
  public Optional<EffectiveHint> hint(String path) throws IOException {
    Optional<Answer> answer = find(ServiceCalls.hint(path));
    return answer.isEmpty() ? Optional.empty() : Optional.of(EffectiveHint.of(answer.get().json()));
  }

  /**
   * Sets the hint of a path.
   *
   * @param expires when the hint expires; null for never
   */
  public WriteResult putHint(
      String path, Hint hint, @Nullable Instant expires, WriteOptions options) throws IOException {
    return WriteResult.of(
        send(ServiceCalls.putHint(path, ModelJson.write(hint), expires, options)), "");
  }

  /** Sets the hint of a path in text form, such as {@code pipeline}. */
  public WriteResult putHint(String path, String hint, WriteOptions options) throws IOException {
    return WriteResult.of(send(ServiceCalls.putHint(path, new TextNode(hint), null, options)), "");
  }

  /**
   * Removes the hint of exactly this path.
   *
   * @return whether there was one
   */
  public boolean removeHint(String path) throws IOException {
    return find(ServiceCalls.removeHint(path)).isPresent();
  }

  /** The locations of files, in the order of the paths; at most 10,000. */
  public List<FileLocations> locations(List<String> paths) throws IOException {
    return FileLocations.listOf(send(ServiceCalls.locations(paths)).json());
  }

  /** The nodes that hold the most of these files; at most {@code limit} nodes, 0 for all. */
  public Ranking rank(List<String> paths, int limit) throws IOException {
    return Ranking.of(send(ServiceCalls.rank(paths, limit)).json());
  }

  /** Explains why a file is where it is. */
  public Explanation explain(String path) throws IOException {
    return Explanation.of(send(ServiceCalls.explain(path)).json());
  }

  /** The processes that follow the hints. */
  public WatcherList watchers() throws IOException {
    return WatcherList.of(send(ServiceCalls.watchers()).json());
  }

  /** The status of the instance that answers. */
  public ServiceStatus status() throws IOException {
    return ServiceStatus.of(send(ServiceCalls.status()).json());
  }

  @Override
  public void close() {
    if (sharesConnections) {
      return;
    }
    connection.close();
    tls.close();
  }

  private Optional<Answer> find(ServiceCall call) throws IOException {
    try {
      return Optional.of(send(call));
    } catch (HintsServiceException e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
