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
 * The hints that jobs give to their outputs: one set for the pool, written again when jobs bring
 * rules that are not in it. While it is being written, what others bring waits for the next time,
 * which does for all of them. Only the last rules are kept. Hints are advice: when the set cannot
 * be written, or nobody follows it, the jobs run all the same, without waiting from then on, and a
 * note says so once. Thread-safe.
 */
public final class JobHints implements JobService.Hinting, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JobHints.class);

  /** What one set may hold without being slow to write and read. */
  private static final int MOST_RULES = 1_000;

  /** A life has so many extensions: some may fail and the hints live on. */
  private static final int EXTENSIONS = 4;

  private final HintPublisher desk;
  private final Owner owner;
  private final Clock clock;
  private final Surroundings surroundings;

  /** Held by whoever talks to the desk; never taken by who holds this object's own lock. */
  private final ReentrantLock talking = new ReentrantLock();

  private final Map<PathPattern, Rule> rules = new LinkedHashMap<>();

  /** Completes when the set is written that is being written. */
  private @Nullable CompletableFuture<Void> writing;

  /** Completes when the set is written that comes after it, if any is to. */
  private @Nullable CompletableFuture<Void> next;

  private Instant extended = Instant.MIN;
  private boolean heeded = true;
  private boolean complained;
  private boolean closed;

  /**
   * Whose hints they are.
   *
   * @param pool names the hint set
   * @param user owns it
   */
  public record Owner(String pool, String user) {}

  /**
   * What is around it.
   *
   * @param blocking for what takes as long as the desk has patience
   * @param notes hears what the user should know
   * @param isLeft whether somebody else goes on with the pool, and with its hints; may block
   */
  public record Surroundings(Executor blocking, Consumer<String> notes, BooleanSupplier isLeft) {}

  /**
   * Hints of a pool that has none yet.
   *
   * @param desk closed with this
   */
  public JobHints(HintPublisher desk, Owner owner, Clock clock, Surroundings surroundings) {
    this.desk = desk;
    this.owner = owner;
    this.clock = clock;
    this.surroundings = surroundings;
  }

  @Override
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
    if (add(wanted) && next == null) {
      next = new CompletableFuture<>();
    }
    if (writing == null) {
      begin();
    }
    CompletableFuture<Void> last = next == null ? writing : next;
    return last == null || !heeded ? CompletableFuture.completedFuture(null) : last.copy();
  }

  /** Whether any of them is not in the set. */
  private boolean add(List<Rule> wanted) {
    boolean isNew = false;
    for (Rule rule : wanted) {
      isNew |= !rule.equals(rules.get(rule.pattern()));
      rules.remove(rule.pattern());
      rules.put(rule.pattern(), rule);
    }
    while (rules.size() > MOST_RULES) {
      rules.remove(rules.keySet().iterator().next());
    }
    return isNew;
  }

  private synchronized void begin() {
    CompletableFuture<Void> flight = next;
    writing = flight;
    next = null;
    if (flight != null) {
      surroundings.blocking().execute(() -> write(flight));
    }
  }

  private void write(CompletableFuture<Void> flight) {
    String problem = HintPublisher.WITHOUT + "the pool was ending";
    talking.lock();
    try {
      HintSet set = current();
      problem = set == null ? null : desk.put(set).orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Cannot write the hints of {}", owner.pool(), e);
      problem = HintPublisher.WITHOUT + e.getMessage();
    } finally {
      talking.unlock();
      written(problem);
      flight.complete(null);
    }
  }

  /** What is to be written now; nothing when it is too late for that. */
  private synchronized @Nullable HintSet current() {
    Instant now = clock.instant();
    extended = now;
    return closed
        ? null
        : new HintSet(
            owner.pool(), owner.user(), now.plus(desk.life()), List.copyOf(rules.values()));
  }

  private synchronized void written(@Nullable String problem) {
    heeded = problem == null;
    if (problem != null && !complained) {
      complained = true;
      surroundings.notes().accept(problem);
    }
    begin();
  }

  /** Lets the set live on while the pool does; to be called now and then. Blocks. */
  public void extend() {
    // Whoever is writing it extends it.
    if (isOld() && talking.tryLock()) {
      try {
        desk.keep(owner.pool(), clock.instant().plus(desk.life()));
      } finally {
        talking.unlock();
      }
    }
  }

  private synchronized boolean isOld() {
    Instant now = clock.instant();
    boolean old =
        !rules.isEmpty()
            && Duration.between(extended, now).compareTo(desk.life().dividedBy(EXTENSIONS)) > 0;
    if (old) {
      extended = now;
    }
    return old && !closed;
  }

  /**
   * Removes the hints unless somebody else goes on with them; what cannot be removed expires by
   * itself. Blocks.
   */
  @Override
  public void close() {
    boolean any = end() && !surroundings.isLeft().getAsBoolean();
    talking.lock();
    try {
      if (any) {
        desk.remove(owner.pool());
      }
      desk.close();
    } finally {
      talking.unlock();
    }
  }

  private synchronized boolean end() {
    boolean first = !closed;
    closed = true;
    return first && !rules.isEmpty();
  }
}
