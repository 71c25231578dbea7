package dev.weir.service.rest;

import dev.weir.hints.HintSet;
import dev.weir.hints.LogLimit;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.store.ClientRules;
import dev.weir.hints.store.HintStore;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.part.LeaderTask;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rules that HDFS clients need to the attribute of the root directory, after each change
 * of the sets.
 */
final class ClientRulesWriter implements LeaderTask {
  private static final Logger LOG = LoggerFactory.getLogger(ClientRulesWriter.class);
  private static final Path ROOT = new Path("/");
  private static final byte[] NONE = {};
  private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(100);

  /** Bounds what the attribute adds to the NameNode's edits while sets change all the time. */
  private static final Duration PAUSE_AFTER_WRITE = Duration.ofSeconds(1);

  private static final Duration RETRY_DELAY = Duration.ofSeconds(10);
  private static final Duration SHOWN_TIMEOUT = Duration.ofSeconds(3);

  private final HintStore store;
  private final CallerFileSystems callers;
  private final LogLimit logLimit = LogLimit.oncePerMinute();
  private volatile int leftOut;
  private volatile @Nullable String problem;

  ClientRulesWriter(HintStore store, CallerFileSystems callers) {
    this.store = store;
    this.callers = callers;
  }

  @Override
  public boolean needsSuperuser() {
    return true;
  }

  @Override
  public String name() {
    return "client-rules";
  }

  @Override
  public void lead(BooleanSupplier leading) throws IOException, InterruptedException {
    if (!store.awaitLoaded(LOAD_TIMEOUT)) {
      throw new IOException("the hints have not been read yet");
    }
    @Nullable HintIndex seen = null;
    byte @Nullable [] written = null;
    while (leading.getAsBoolean()) {
      HintIndex index = store.snapshot();
      if (index == seen) {
        Thread.sleep(POLL.toMillis());
        continue;
      }
      ClientRules rules = ClientRules.of(index);
      leftOut = rules.leftOut();
      try {
        boolean changed =
            (written == null || !Arrays.equals(rules.value(), written)) && write(rules.value());
        written = rules.value();
        seen = index;
        problem = null;
        Thread.sleep((changed ? PAUSE_AFTER_WRITE : POLL).toMillis());
      } catch (IOException | RuntimeException e) {
        problem = "HDFS clients do not learn the rules: " + e.getMessage();
        if (logLimit.permits()) {
          LOG.warn(
              "Cannot write the attribute {} of /, so HDFS clients give new files stock values; is"
                  + " {} an HDFS superuser? {}",
              ClientRules.ATTRIBUTE,
              callers.self(),
              e.toString());
        }
        Thread.sleep(RETRY_DELAY.toMillis());
      }
    }
  }

  /**
   * Writes the attribute if it differs.
   *
   * @param value empty to remove it
   * @return whether it differed
   */
  boolean write(byte[] value) throws IOException {
    return callers.call(
        callers.self(),
        CallerFileSystems.DEFAULT,
        files -> {
          byte[] present = files.getXAttrs(ROOT).get(ClientRules.ATTRIBUTE);
          if (present == null ? value.length == 0 : Arrays.equals(present, value)) {
            return false;
          }
          if (value.length == 0) {
            files.removeXAttr(ROOT, ClientRules.ATTRIBUTE);
          } else {
            files.setXAttr(ROOT, ClientRules.ATTRIBUTE, value);
          }
          return true;
        });
  }

  /**
   * Waits until clients can read the rules of a set, which the leader writes; at most a few
   * seconds, and not if they do not fit.
   */
  void awaitShown(HintSet set) {
    long deadline = System.nanoTime() + SHOWN_TIMEOUT.toNanos();
    try {
      while (problem == null
          && System.nanoTime() - deadline < 0
          && shows(ClientRules.of(store.snapshot()).value(), set)
          && !shows(read(), set)) {
        Thread.sleep(POLL.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Whether clients know the rules of {} is not known", set.id(), e);
    }
  }

  private static boolean shows(byte[] value, HintSet set) {
    return value.length > 0
        && ClientRules.decode(value, "", Instant.EPOCH).rules("clients").stream()
            .map(Match::rule)
            .collect(Collectors.toSet())
            .containsAll(set.rules());
  }

  private byte[] read() throws IOException {
    return callers.call(
        callers.self(),
        CallerFileSystems.DEFAULT,
        files -> files.getXAttrs(ROOT).getOrDefault(ClientRules.ATTRIBUTE, NONE));
  }

  /** Returns the fields for {@code GET /v1/status}; empty if nothing is wrong. */
  Map<String, Object> status() {
    Map<String, Object> status = new LinkedHashMap<>();
    if (leftOut > 0) {
      status.put("sets-unknown-to-clients", leftOut);
    }
    String present = problem;
    if (present != null) {
      status.put("client-rules-problem", present);
    }
    return status;
  }
}
