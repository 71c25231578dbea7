package dev.weir.workflow.am;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.workflow.hints.HintDesk;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hints that jobs give to their outputs: one set for the pool, written again when a job brings
 * a rule that is not in it. Only the last rules are kept. Hints are advice: when the set cannot be
 * written the jobs run all the same, and a note says so once. Thread-safe; calls may block for as
 * long as the desk's patience.
 */
final class PoolHints implements PoolDesk.Hinting, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PoolHints.class);

  /** What one set may hold without being slow to write and read. */
  private static final int MOST_RULES = 1_000;

  /** A life has so many extensions: some may fail and the hints live on. */
  private static final int EXTENSIONS = 4;

  private final HintDesk desk;
  private final Owner owner;
  private final Clock clock;
  private final Consumer<String> notes;
  private final Map<PathPattern, Rule> rules = new LinkedHashMap<>();
  private Instant extended = Instant.MIN;
  private boolean complained;

  /**
   * Whose hints they are.
   *
   * @param pool names the hint set
   * @param user owns it
   */
  record Owner(String pool, String user) {}

  /**
   * Hints of a pool that has none yet.
   *
   * @param desk closed with this
   * @param notes hears what the user should know
   */
  PoolHints(HintDesk desk, Owner owner, Clock clock, Consumer<String> notes) {
    this.desk = desk;
    this.owner = owner;
    this.clock = clock;
    this.notes = notes;
  }

  @Override
  public void include(Job job) {
    List<Rule> wanted = new ArrayList<>();
    for (JobFile output : job.outputs()) {
      if (!output.hint().isEmpty()) {
        wanted.add(new Rule(PathPattern.literal(output.path()), HintText.parse(output.hint())));
      }
    }
    if (!wanted.isEmpty()) {
      include(wanted);
    }
  }

  private synchronized void include(List<Rule> wanted) {
    boolean isNew = false;
    for (Rule rule : wanted) {
      isNew |= !rule.equals(rules.get(rule.pattern()));
      rules.remove(rule.pattern());
      rules.put(rule.pattern(), rule);
    }
    while (rules.size() > MOST_RULES) {
      rules.remove(rules.keySet().iterator().next());
    }
    if (isNew) {
      write();
    }
  }

  private void write() {
    try {
      Instant now = clock.instant();
      extended = now;
      desk.put(
              new HintSet(
                  owner.pool(), owner.user(), now.plus(desk.life()), List.copyOf(rules.values())))
          .ifPresent(this::complain);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Cannot write the hints of {}", owner.pool(), e);
      complain(HintDesk.WITHOUT + e.getMessage());
    }
  }

  private void complain(String note) {
    if (!complained) {
      complained = true;
      notes.accept(note);
    }
  }

  /** Lets the set live on while the pool does; to be called now and then. */
  synchronized void extend() {
    Duration age = Duration.between(extended, clock.instant());
    if (!rules.isEmpty() && age.compareTo(desk.life().dividedBy(EXTENSIONS)) > 0) {
      extended = clock.instant();
      desk.keep(owner.pool(), extended.plus(desk.life()));
    }
  }

  /** Removes the hints; what cannot be removed expires by itself. */
  @Override
  public synchronized void close() {
    if (!rules.isEmpty()) {
      desk.remove(owner.pool());
    }
    desk.close();
  }
}
