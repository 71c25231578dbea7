package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoreUnavailableException;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until the active NameNode has applied a change, for requests that ask for it. */
final class AppliedChangeWait {
  static final String AWAIT = "await";
  static final String TIMEOUT = "timeout";
  private static final String APPLIED = "applied";
  private static final Duration DEFAULT = Duration.ofSeconds(5);
  private static final Logger LOG = LoggerFactory.getLogger(AppliedChangeWait.class);

  private final HintStore store;
  private final Supplier<Predicate<WatcherInfo>> active;
  private final Duration longest;
  private final Semaphore permits;

  /**
   * Creates a wait.
   *
   * @param active tells whether a watcher is the active NameNode; may call NameNodes
   */
  AppliedChangeWait(
      HintStore store, Supplier<Predicate<WatcherInfo>> active, RestSettings settings) {
    this.store = store;
    this.active = active;
    this.longest = settings.awaitMax();
    this.permits = new Semaphore(settings.awaits());
  }

  /**
   * Returns the requested timeout, at most the configured one; empty if the request does not wait.
   *
   * @throws ProblemException 400
   */
  Optional<Duration> requestedTimeout(RequestContext call) {
    Optional<String> awaited = call.query(AWAIT);
    Duration timeout = call.time(TIMEOUT, DEFAULT);
    if (awaited.isEmpty()) {
      return Optional.empty();
    }
    if (!awaited.get().equals(APPLIED)) {
      throw ProblemException.invalid(
          AWAIT, "'" + awaited.get() + "' cannot be awaited", List.of(APPLIED));
    }
    return Optional.of(timeout.compareTo(longest) < 0 ? timeout : longest);
  }

  /** Waits, and adds the outcome to the response. A failed wait does not undo the change. */
  boolean await(long version, Duration timeout, ObjectNode answer) {
    Predicate<WatcherInfo> isActive = active.get();
    boolean applied = isApplied(version, timeout, isActive);
    answer.put("applied", applied);
    answer.set("watchers", WatcherJson.json(watchers(), version, isActive));
    return applied;
  }

  private boolean isApplied(long version, Duration timeout, Predicate<WatcherInfo> isActive) {
    if (!permits.tryAcquire()) {
      LOG.debug("Too many requests wait; the request for version {} does not wait", version);
      return false;
    }
    try {
      return store.awaitApplied(version, HintStore.ROLE_NAMENODE, isActive, timeout);
    } catch (IOException e) {
      LOG.info("Whether version {} is applied is not known: {}", version, e.toString());
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      permits.release();
    }
  }

  private List<WatcherInfo> watchers() {
    try {
      return store.watchers();
    } catch (StoreUnavailableException e) {
      return List.of();
    } catch (IOException e) {
      LOG.info("The watchers are not known", e);
      return List.of();
    }
  }
}
