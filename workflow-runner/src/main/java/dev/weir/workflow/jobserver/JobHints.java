package dev.weir.workflow.jobserver;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the hints of jobs' outputs as one hint set of the session. The set is written again
 * when a job brings a new rule. Rules that arrive during a write share the next write. Only the
 * last rules are kept. Hints are advice: when a write fails or the NameNode does not follow the
 * set, jobs run without waiting, and one note says so. Thread-safe.
 */
public final class JobHints implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JobHints.class);

  /** Limit of a set, to keep its writes and reads fast. */
  private static final int MAX_RULES = 1_000;

  /** Extensions within the lifetime of the set, so that some may fail. */
  private static final int EXTENSIONS = 4;

  private final HintPublisher publisher;
  private final Owner owner;
  private final Clock clock;
  private final Dependencies dependencies;

  /** Guards the publisher. Never acquired while this object's monitor is held. */
  private final ReentrantLock publishLock = new ReentrantLock();

  private final Map<PathPattern, Rule> rules = new LinkedHashMap<>();

  /** Completes with the last write that was requested. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Whether the last write has not begun, so that it includes new rules. */
  private boolean queued;

  private Instant extended = Instant.MIN;
  private boolean followed = true;
  private boolean noted;
  private boolean closed;

  /**
   * The owner of the hints.
   *
   * @param session id of the session, which names the hint set
   */
  public record Owner(String session, String user) {}

  /**
   * What the hints use.
   *
   * @param blocking runs writes, which block for a bounded time
   * @param notes receives messages for the user
   * @param isReplaced whether another ApplicationMaster has replaced this one and uses the hints;
   *     may block
   */
  public record Dependencies(
      Executor blocking, Consumer<String> notes, BooleanSupplier isReplaced) {}

  /**
   * Creates hints without rules.
   *
   * @param publisher closed with this
   */
  public JobHints(HintPublisher publisher, Owner owner, Clock clock, Dependencies dependencies) {
    this.publisher = publisher;
    this.owner = owner;
    this.clock = clock;
    this.dependencies = dependencies;
  }

  /** Includes the hints of a job's outputs, as {@link JobService.Dependencies#hints} does. */
  public CompletableFuture<Void> include(Job job) {
    List<Rule> wanted = new ArrayList<>();
    for (JobFile output : job.outputs()) {
      if (!output.hint().isEmpty()) {
        wanted.add(new Rule(PathPattern.literal(output.path()), HintText.parse(output.hint())));
      }
    }
    return wanted.isEmpty() ? CompletableFuture.completedFuture(null) : include(wanted);
  }

  private synchronized CompletableFuture<Void> include(List<Rule> wanted) {
    if (add(wanted) && !queued) {
      queued = true;
      // Hints are advice: a failed write neither stops later ones nor fails the job.
      last = last.thenRunAsync(this::write, dependencies.blocking()).exceptionally(e -> null);
    }
    return followed ? last.copy() : CompletableFuture.completedFuture(null);
  }

  /** Adds rules; returns whether one is new. */
  private boolean add(List<Rule> wanted) {
    boolean isNew = false;
    for (Rule rule : wanted) {
      isNew |= !rule.equals(rules.get(rule.pattern()));
      rules.remove(rule.pattern());
      rules.put(rule.pattern(), rule);
    }
    while (rules.size() > MAX_RULES) {
      rules.remove(rules.keySet().iterator().next());
    }
    return isNew;
  }

  private void write() {
    String problem = HintPublisher.WITHOUT + "the session was ending";
    publishLock.lock();
    try {
      HintSet set = current();
      problem = set == null ? null : publisher.put(set).orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Cannot write the hints of {}", owner.session(), e);
      problem = HintPublisher.WITHOUT + e.getMessage();
    } finally {
      publishLock.unlock();
      written(problem);
    }
  }

  /** Returns the set to write; null after the close. */
  private synchronized @Nullable HintSet current() {
    Instant now = clock.instant();
    queued = false;
    extended = now;
    return closed
        ? null
        : new HintSet(
            owner.session(), owner.user(), now.plus(publisher.life()), List.copyOf(rules.values()));
  }

  private synchronized void written(@Nullable String problem) {
    followed = problem == null;
    if (problem != null && !noted) {
      noted = true;
      dependencies.notes().accept(problem);
    }
  }

  /** Extends the lifetime of the set; called periodically. Blocks. */
  public void extend() {
    // A write extends the lifetime too.
    if (isOld() && publishLock.tryLock()) {
      try {
        publisher.keep(owner.session(), clock.instant().plus(publisher.life()));
      } finally {
        publishLock.unlock();
      }
    }
  }

  private synchronized boolean isOld() {
    Instant now = clock.instant();
    boolean old =
        !rules.isEmpty()
            && Duration.between(extended, now).compareTo(publisher.life().dividedBy(EXTENSIONS))
                > 0;
    if (old) {
      extended = now;
    }
    return old && !closed;
  }

  /**
   * Removes the hints unless another ApplicationMaster uses them; hints that cannot be removed
   * expire. Blocks.
   */
  @Override
  public void close() {
    boolean any = end() && !dependencies.isReplaced().getAsBoolean();
    publishLock.lock();
    try {
      if (any) {
        publisher.remove(owner.session());
      }
      publisher.close();
    } finally {
      publishLock.unlock();
    }
  }

  private synchronized boolean end() {
    boolean first = !closed;
    closed = true;
    return first && !rules.isEmpty();
  }
}
