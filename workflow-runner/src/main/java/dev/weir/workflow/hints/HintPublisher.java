package dev.weir.workflow.hints;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Where the hints of a run are handed in. Hints are advice: what goes wrong is told, never thrown,
 * and every wait ends. For any thread.
 */
public interface HintPublisher extends AutoCloseable {
  /** The longest wait for the NameNode's having taken in what was handed in. */
  Duration PATIENCE = Duration.ofSeconds(5);

  /** What is to be said of a NameNode that has not taken hints in within {@link #PATIENCE}. */
  String NOT_APPLIED =
      "The NameNode has not applied the hints within "
          + PATIENCE.toSeconds()
          + " s: is WeirBlockPlacementPolicy set, and its quorum the same?";

  /** What is said of a run without hints begins so. */
  String WITHOUT = "Running without hints: ";

  /**
   * The desk of a cluster: its hints service where {@code weir.server.url} is set, which knows who
   * may say what; else its ZooKeeper; empty where there is neither.
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
    return settings.isEnabled()
        ? Optional.of(new StoreHintPublisher(ZooKeeperHintStore.open(settings)))
        : Optional.empty();
  }

  /** How long a set that was handed in is to live without being extended. */
  Duration life();

  /**
   * Hands a set in and waits until the NameNode places by it, {@link #PATIENCE} at most.
   *
   * @return what the user should know; empty when all is well
   */
  Optional<String> put(HintSet set) throws InterruptedException;

  /** Lets a set live until then. */
  void keep(String id, Instant end);

  /** Takes a set back; one that cannot be taken back expires by itself. */
  void remove(String id);

  @Override
  void close();
}
