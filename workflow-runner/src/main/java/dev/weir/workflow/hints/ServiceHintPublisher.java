package dev.weir.workflow.hints;

import dev.weir.hints.HintSet;
import dev.weir.hints.client.BestEffortHintsClient;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.WriteResult;
import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.HintsServiceException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints service, asked as the user of this process, so that a run says of paths only what its
 * user may. A set lives for an hour and is extended while its run lives: the hints of a run that is
 * gone do not stay for long.
 */
final class ServiceHintPublisher implements HintPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceHintPublisher.class);
  private static final Duration LIFE = Duration.ofHours(1);

  /** For one answer: what the service may wait for the NameNode, and its own work. */
  private static final Duration TIMEOUT = PATIENCE.plusSeconds(3);

  /** For a call with its repetitions. */
  private static final Duration BOUND = PATIENCE.plusSeconds(5);

  private final BestEffortHintsClient hints;
  private final ClientSettings settings;

  private ServiceHintPublisher(BestEffortHintsClient hints, ClientSettings settings) {
    this.hints = hints;
    this.settings = settings;
  }

  static ServiceHintPublisher open(Configuration conf, ClientSettings settings) throws IOException {
    HintsClient client =
        HintsClient.open(
            conf, settings.waiting(TIMEOUT, BOUND), UserGroupInformation.getCurrentUser());
    return new ServiceHintPublisher(new BestEffortHintsClient(client, BOUND), settings);
  }

  @Override
  public Duration life() {
    return LIFE;
  }

  @Override
  public Optional<String> put(HintSet set) {
    AtomicReference<String> why =
        new AtomicReference<>("no answer from " + settings.urls() + " within " + seconds(BOUND));
    Optional<WriteResult> written =
        hints.ask(
            service -> {
              try {
                return service.putSet(set, WriteOptions.awaiting(PATIENCE));
              } catch (HintsServiceException e) {
                why.set(e.getMessage());
                throw e;
              }
            });
    if (written.isEmpty()) {
      return Optional.of(WITHOUT + why.get());
    }
    return Boolean.TRUE.equals(written.get().applied())
        ? Optional.empty()
        : Optional.of(NOT_APPLIED);
  }

  @Override
  public void keep(String id, Instant end) {
    if (hints.ask(service -> service.keepAlive(id, end)).isEmpty()) {
      LOG.warn("The hints of {} were not extended; it is tried again", id);
    }
  }

  @Override
  public void remove(String id) {
    if (hints.ask(service -> service.removeSet(id)).isEmpty()) {
      LOG.warn("Cannot remove the hints of {}; they expire by themselves", id);
    }
  }

  @Override
  public void close() {
    hints.close();
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + " s";
  }
}
