package dev.weir.workflow.run;

import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the steering requests of a run's owner: files in the run's directory, listed once a second.
 * They stay until the run has ended, so that a later application attempt finds those that this one
 * did not apply. Thread-safe.
 */
final class SteeringInbox implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SteeringInbox.class);
  private static final long PERIOD_MILLIS = 1_000;

  /**
   * Actions that are answered when the decision is final. An earlier ApplicationMaster may have
   * refused them, which no journal records, and the client may have read that.
   */
  private static final Set<Steering.Action> ANSWERED_ONCE =
      Set.of(Steering.Action.ADD_TASKS, Steering.Action.TAKE_RUN);

  private final Staging staging;
  private final BiConsumer<String, Steering> follow;
  private final Set<String> seen = new HashSet<>();
  private @Nullable ScheduledFuture<?> looking;

  /**
   * Creates an inbox.
   *
   * @param follow applies each request once; requests that are found together come in the order of
   *     their ids
   */
  SteeringInbox(Staging staging, BiConsumer<String, Steering> follow) {
    this.staging = staging;
    this.follow = follow;
  }

  synchronized void start(ScheduledExecutorService timer) {
    if (looking != null) {
      return;
    }
    looking =
        timer.scheduleWithFixedDelay(
            this::poll, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Stops polling. */
  @Override
  public synchronized void close() {
    if (looking != null) {
      looking.cancel(false);
    }
  }

  /** Applies new requests. Blocks on HDFS; never throws. */
  synchronized void poll() {
    try {
      List<String> names = staging.names(SteeringRequest.PREFIX);
      Collections.sort(names);
      for (String name : names) {
        Optional<String> id = SteeringRequest.parse(name);
        if (id.isPresent() && seen.add(name)) {
          take(name, id.get());
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot list steering requests; retrying", e);
    }
  }

  private void take(String name, String id) throws IOException {
    Steering request;
    try {
      request = staging.readJson(name, Steering.class);
      if (ANSWERED_ONCE.contains(request.action())
          && staging.number(SteeringRequest.answer(id)) != 0) {
        LOG.debug("The steering request {} was answered before", id);
        return;
      }
    } catch (FileNotFoundException e) {
      LOG.debug("The steering request {} was withdrawn", name, e);
      return;
    } catch (Staging.UnreadableException e) {
      LOG.warn("{} is not a steering request", name, e);
      answer(staging, id, new SteeringAnswer(0, "not understood: " + e.getMessage()));
      return;
    } catch (IOException e) {
      seen.remove(name);
      throw e;
    }
    LOG.info("Steering request {}: {}", id, request);
    follow.accept(id, request);
  }

  /** Writes the answer to a request. Blocks; never throws. */
  static void answer(Staging staging, String id, SteeringAnswer answer) {
    try {
      staging.writeJson(SteeringRequest.answer(id), answer);
    } catch (IOException e) {
      LOG.warn("Cannot answer the steering request {}", id, e);
    }
  }
}
