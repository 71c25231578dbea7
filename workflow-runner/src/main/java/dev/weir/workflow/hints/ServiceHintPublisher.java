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
 * Publishes hints through the hints service, as the user of this process. So a run can only give
 * hints for paths that its user may access. A set lives for an hour and is extended during its run,
 * so the hints of a dead run soon expire.
 */
final class ServiceHintPublisher implements HintPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceHintPublisher.class);
  private static final Duration LIFE = Duration.ofHours(1);

  /** Timeout of one request: the service's wait for the NameNode and its own work. */
  private static final Duration TIMEOUT = PATIENCE.plusSeconds(3);

  /** Timeout of a call with its retries. */
  private static final Duration CALL_TIMEOUT = PATIENCE.plusSeconds(5);

  private final BestEffortHintsClient hints;
  private final ClientSettings settings;

  private ServiceHintPublisher(BestEffortHintsClient hints, ClientSettings settings) {
    this.hints = hints;
    this.settings = settings;
  }

  static ServiceHintPublisher open(Configuration conf, ClientSettings settings) throws IOException {
    HintsClient client =
        HintsClient.open(
            conf, settings.waiting(TIMEOUT, CALL_TIMEOUT), UserGroupInformation.getCurrentUser());
    return new ServiceHintPublisher(new BestEffortHintsClient(client, CALL_TIMEOUT), settings);
  }

  @Override
  public Duration life() {
    return LIFE;
  }

  @Override
  public Optional<String> put(HintSet set) {
    AtomicReference<String> why =
        new AtomicReference<>(
            "no answer from " + settings.urls() + " within " + seconds(CALL_TIMEOUT));
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
      LOG.warn("The hints of {} were not extended; the next extension retries it", id);
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
