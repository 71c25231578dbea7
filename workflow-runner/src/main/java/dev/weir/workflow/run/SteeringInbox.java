package dev.weir.workflow.run;

import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.SteeringAnswer;
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
 * Where the owner of the run leaves wishes: files in the run's directory, looked for once a second.
 * They stay there until the run has ended, so that another attempt of the ApplicationMaster finds
 * those that this one did not follow. Thread-safe.
 */
final class SteeringInbox implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SteeringInbox.class);
  private static final long PERIOD_MILLIS = 1_000;

  private final Staging staging;
  private final BiConsumer<String, Steering> follow;
  private final Set<String> seen = new HashSet<>();
  private @Nullable ScheduledFuture<?> looking;

  /**
   * A box.
   *
   * @param follow takes each wish once, with its id, in the order of the ids as far as they were
   *     there together
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
            this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Looks no more. */
  @Override
  public synchronized void close() {
    if (looking != null) {
      looking.cancel(false);
    }
  }

  /** Takes out what is new. Blocks while HDFS is asked; never throws. */
  synchronized void look() {
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
      LOG.warn("Cannot look for wishes; trying again", e);
    }
  }

  private void take(String name, String id) throws IOException {
    Steering wish;
    try {
      wish = staging.readJson(name, Steering.class);
    } catch (FileNotFoundException e) {
      LOG.debug("{} was taken back", name, e);
      return;
    } catch (Staging.UnreadableException e) {
      LOG.warn("{} is no wish", name, e);
      answer(staging, id, new SteeringAnswer(0, "not understood: " + e.getMessage()));
      return;
    } catch (IOException e) {
      seen.remove(name);
      throw e;
    }
    LOG.info("Wish {}: {}", id, wish);
    follow.accept(id, wish);
  }

  /** Leaves an answer for whoever wished. Blocks; never throws. */
  static void answer(Staging staging, String id, SteeringAnswer answer) {
    try {
      staging.writeJson(SteeringRequest.answer(id), answer);
    } catch (IOException e) {
      LOG.warn("Cannot answer the wish {}", id, e);
    }
  }
}
