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
 * The hints service from Java. A call asks the instance that answered last and passes over those
 * that are away; calls that can be repeated are, with pauses; every wait ends, see {@link
 * ClientSettings}. Connections are kept for the next call. For any thread; one client serves a
 * whole process.
 *
 * <p>The caller is the user that the client was opened for, proven by Kerberos where the cluster
 * has it. A proxy user calls in the name of its real user.
 *
 * <p>A method throws {@link HintsServiceException} when the service refuses or does not answer, and
 * {@link java.io.InterruptedIOException} when its thread is interrupted.
 */
public final class HintsClient implements AutoCloseable {
  private static final int NOT_FOUND = 404;
  private static final int NOT_MODIFIED = 304;

  private final ServiceConnection link;
  private final TlsClientConfig tls;
  private final boolean shares;

  private HintsClient(ServiceConnection link, TlsClientConfig tls, boolean shares) {
    this.link = link;
    this.tls = tls;
    this.shares = shares;
  }

  /**
   * A client for the service and the user that the configuration and the process have.
   *
   * @throws dev.weir.hints.InvalidHintException when a setting cannot be used
   */
  public static HintsClient open(Configuration configuration) throws IOException {
    return open(
        configuration, ClientSettings.from(configuration), UserGroupInformation.getCurrentUser());
  }

  /**
   * A client.
   *
   * @param configuration for TLS
   * @param settings where the service is, and how long to wait
   * @param user who calls
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
      RetryTimer waits)
      throws IOException {
    TlsClientConfig tls = TlsClientConfig.forUrls(settings.urls(), configuration);
    HttpExchange exchange = new HttpExchange(settings, new CallerIdentity(user, tls), tls);
    return new HintsClient(new ServiceConnection(settings, exchange, waits), tls, false);
  }

  /**
   * A client for another user that shares the connections and the thread of this one. To close it
   * does nothing; this one is to be closed after its last call.
   */
  public HintsClient as(UserGroupInformation user) {
    return new HintsClient(link.as(new CallerIdentity(user, tls)), tls, true);
  }

  /** Sends any call; for those who want the JSON as the service has it. */
  public Answer send(ServiceCall call) throws IOException {
    return link.send(call);
  }

  /**
   * Sends a call whose answer may be of any length, and writes the answer to a file as it comes.
   * The time for an answer counts anew whenever more of it has come.
   *
   * @param file where to; replaced when it exists, and not whole when this throws
   */
  public void save(ServiceCall call, Path file) throws IOException {
    link.send(call, file);
  }

  /** Creates or replaces a hint set. The set's owner counts only when an administrator calls. */
  public WriteResult putSet(HintSet set, WriteOptions options) throws IOException {
    return WriteResult.of(
        send(ServiceCalls.putSet(set.id(), ModelJson.write(set), options)), set.id());
  }

  /** A hint set, if it is there. */
  public Optional<VersionedSet> findSet(String id) throws IOException {
    Optional<Answer> answer = find(ServiceCalls.set(id));
    return answer.isEmpty() ? Optional.empty() : Optional.of(VersionedSet.of(answer.get()));
  }

  /**
   * A hint set, if it is at another version than the one that the caller has.
   *
   * @throws HintsServiceException also when it is not there
   */
  public Optional<VersionedSet> findSetUnless(String id, long version) throws IOException {
    Answer answer = send(ServiceCalls.set(id).header("If-None-Match", "\"" + version + "\""));
    return answer.status() == NOT_MODIFIED
        ? Optional.empty()
        : Optional.of(VersionedSet.of(answer));
  }

  /** Changes a hint set; changes that others make at the same time are kept. */
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

  /** Removes a hint set; says whether it was there. */
  public boolean removeSet(String id) throws IOException {
    return find(ServiceCalls.removeSet(id, WriteOptions.NONE)).isPresent();
  }

  /** Removes a hint set if it is at that version; says whether it was there. */
  public boolean removeSet(String id, long version) throws IOException {
    return find(ServiceCalls.removeSet(id, WriteOptions.onlyAt(version))).isPresent();
  }

  /** Lets a hint set live for a time from now on. */
  public WriteResult keepAlive(String id, Duration time) throws IOException {
    return WriteResult.of(send(ServiceCalls.keepAlive(id, time)), id);
  }

  /** Lets a hint set live until then. */
  public WriteResult keepAlive(String id, Instant end) throws IOException {
    return WriteResult.of(send(ServiceCalls.keepAlive(id, end)), id);
  }

  /** A page of the list of hint sets. */
  public SetPage sets(SetQuery query) throws IOException {
    return SetPage.of(send(ServiceCalls.sets(query)).json());
  }

  /** The hint that counts for a path, if there is one. */
  public Optional<EffectiveHint> hint(String path) throws IOException {
    Optional<Answer> answer = find(ServiceCalls.hint(path));
    return answer.isEmpty() ? Optional.empty() : Optional.of(EffectiveHint.of(answer.get().json()));
  }

  /**
   * Gives a path a hint.
   *
   * @param expires until when; null for ever
   */
  public WriteResult putHint(
      String path, Hint hint, @Nullable Instant expires, WriteOptions options) throws IOException {
    return WriteResult.of(
        send(ServiceCalls.putHint(path, ModelJson.write(hint), expires, options)), "");
  }

  /** Gives a path a hint that is written as text, such as {@code pipeline}. */
  public WriteResult putHint(String path, String hint, WriteOptions options) throws IOException {
    return WriteResult.of(send(ServiceCalls.putHint(path, new TextNode(hint), null, options)), "");
  }

  /** Takes the hint of exactly this path away; says whether there was one. */
  public boolean removeHint(String path) throws IOException {
    return find(ServiceCalls.removeHint(path)).isPresent();
  }

  /** Where files are: one answer a path, in the order of the paths; at most 10,000. */
  public List<FileLocations> locations(List<String> paths) throws IOException {
    return FileLocations.listOf(send(ServiceCalls.locations(paths)).json());
  }

  /** Which nodes hold the most of these files; at most {@code limit} nodes, 0 for all. */
  public Ranking rank(List<String> paths, int limit) throws IOException {
    return Ranking.of(send(ServiceCalls.rank(paths, limit)).json());
  }

  /** Which hints a workflow, in WfFormat, implies. */
  public List<InferredRule> infer(byte[] workflow, InferQuery query) throws IOException {
    return InferredRule.listOf(send(ServiceCalls.infer(workflow, query)).json());
  }

  /** Why a file is where it is. */
  public Explanation explain(String path) throws IOException {
    return Explanation.of(send(ServiceCalls.explain(path)).json());
  }

  /** Who follows the hints. */
  public WatcherList watchers() throws IOException {
    return WatcherList.of(send(ServiceCalls.watchers()).json());
  }

  /**
   * Which paths the latest edits were about; for administrators.
   *
   * @param mark of the answer before; null for the present one
   */
  public ChangedPaths changes(@Nullable String mark) throws IOException {
    return ChangedPaths.of(send(ServiceCalls.changes(mark)).json());
  }

  /** How the instance that answers is. */
  public ServiceStatus status() throws IOException {
    return ServiceStatus.of(send(ServiceCalls.status()).json());
  }

  @Override
  public void close() {
    if (!shares) {
      tls.close();
    }
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
