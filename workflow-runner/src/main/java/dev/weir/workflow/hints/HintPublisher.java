package dev.weir.workflow.hints;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Publishes the hints of a run. Hints are advice, so errors are returned or logged, never thrown,
 * and every wait is bounded. Thread-safe.
 */
public interface HintPublisher extends AutoCloseable {
  /** The longest wait until the NameNode applies published hints. */
  Duration PATIENCE = Duration.ofSeconds(5);

  /** The message if the NameNode has not applied hints within {@link #PATIENCE}. */
  String NOT_APPLIED =
      "The NameNode has not applied the hints within "
          + PATIENCE.toSeconds()
          + " s: is WeirBlockPlacementPolicy set, and its quorum the same?";

  /** The prefix of messages about a run without hints. */
  String WITHOUT = "Running without hints: ";

  /**
   * Returns the publisher of a cluster. It uses the hints service if {@code weir.server.url} is
   * set, because the service checks permissions. Otherwise it uses ZooKeeper if all users may write
   * hints there ({@code weir.zookeeper.open}). Returns empty if neither is so.
   *
   * @throws dev.weir.hints.InvalidHintException when a setting cannot be used
   * @throws IOException when the user of this process is not known
   */
  static Optional<HintPublisher> of(Configuration conf) throws IOException {
    ClientSettings service = ClientSettings.from(conf);
    if (service.isEnabled()) {
      return Optional.of(ServiceHintPublisher.open(conf, service));
    }
    HintSettings settings = HintSettings.from(conf);
    return settings.isEnabled() && settings.access().isOpen()
        ? Optional.of(new StoreHintPublisher(ZooKeeperHintStore.open(settings)))
        : Optional.empty();
  }

  /**
   * Returns the publisher of a cluster for rules of paths in one file system.
   *
   * @param fileSystem the file system, which may be one of several nameservices
   * @throws dev.weir.hints.InvalidHintException when a setting cannot be used
   * @throws IOException when the user of this process is not known
   */
  static Optional<HintPublisher> of(Configuration conf, URI fileSystem) throws IOException {
    return of(conf)
        .map(
            publisher ->
                NameserviceHintPublisher.isNeeded(conf, fileSystem)
                    ? new NameserviceHintPublisher(publisher, fileSystem.getAuthority())
                    : publisher);
  }

  /** Returns how long a published set lives without being extended. */
  Duration life();

  /**
   * Publishes a set and waits until the NameNode applies it, at most {@link #PATIENCE}.
   *
   * @return a message for the user; empty on success
   */
  Optional<String> put(HintSet set) throws InterruptedException;

  /** Extends the life of a set until the given time. */
  void keep(String id, Instant end);

  /** Removes a set. If that fails, the set expires by itself. */
  void remove(String id);

  @Override
  void close();
}
