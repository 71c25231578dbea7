package dev.weir.service.reconcile;

import dev.weir.hints.store.HintStore;
import dev.weir.service.auto.AutoPaths;
import dev.weir.service.auto.AutoSettings;
import dev.weir.service.auto.AutoStatus;
import dev.weir.service.auto.MergedCounts;
import dev.weir.service.auto.ReplicaChange;
import dev.weir.service.part.LeaderTask;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the files under {@code auto} the replicas that they earn, in rounds. What the owner of a
 * file had set is in an attribute of the file before its replication is changed, so a leader that
 * is killed leaves nothing that the next one does not take back.
 */
final class AutoReplication implements LeaderTask {
  private static final Logger LOG = LoggerFactory.getLogger(AutoReplication.class);
  private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);

  /** Copies are not made while more blocks for each DataNode wait for copies. */
  private static final int MAX_LOW_REDUNDANCY_PER_NODE = 100;

  /** The least pause after a round, in times of its listing. */
  private static final int PAUSES_PER_LISTING = 4;

  /** The number of changes between two looks at the blocks that wait for copies. */
  private static final int CHANGES_PER_CHECK = 50;

  private final CallableRaisingIOE<Term> opener;
  private final HintStore store;
  private final MergedCounts counts;
  private final AutoSettings settings;
  private final Timing timing;
  private volatile @Nullable AutoStatus status;

  /**
   * The resources of one term.
   *
   * @param administrators tells whether a user is an administrator
   */
  record Term(
      ReplicaNamespace namespace,
      AutoPaths saved,
      ReconcilerMetrics counters,
      Predicate<String> administrators,
      Closeable connection)
      implements Closeable {
    @Override
    public void close() throws IOException {
      saved.close();
      connection.close();
    }
  }

  /** The clock and the pauses. */
  interface Timing extends InstantSource {
    void pause(Duration time) throws InterruptedException;

    /** The machine's clock. */
    static Timing real() {
      InstantSource clock = InstantSource.system();
      return new Timing() {
        @Override
        public Instant instant() {
          return clock.instant();
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
          Thread.sleep(time.toMillis());
        }
      };
    }
  }

  /**
   * Creates the task.
   *
   * @param opener opens the resources of a term
   */
  AutoReplication(
      CallableRaisingIOE<Term> opener,
      HintStore store,
      MergedCounts counts,
      AutoSettings settings,
      Timing timing) {
    this.opener = opener;
    this.store = store;
    this.counts = counts;
    this.settings = settings;
    this.timing = timing;
  }

  @Override
  public String name() {
    return "auto-replication";
  }

  @Override
  public boolean needsSuperuser() {
    return true;
  }

  /** Returns the outcome of the last round; null while this instance does not lead. */
  @Nullable AutoStatus status() {
    return status;
  }

  @Override
  public void lead(BooleanSupplier leading) throws IOException, InterruptedException {
    if (!store.awaitLoaded(LOAD_TIMEOUT)) {
      throw new IOException("the hints have not been read yet");
    }
    try (Term term = opener.apply()) {
      status = AutoStatus.NONE;
      AutoRound round = new AutoRound(term, counts, settings.budget());
      while (leading.getAsBoolean()) {
        timing.pause(round(term, round, leading));
      }
    } finally {
      status = null;
    }
  }

  /** Does one round. Returns the pause after it. */
  private Duration round(Term term, AutoRound round, BooleanSupplier leading)
      throws IOException, InterruptedException {
    Instant start = timing.instant();
    Duration listing = Duration.ZERO;
    try {
      Optional<AutoStatus> planned = round.plan(store.snapshot(), start);
      listing = Duration.between(start, timing.instant());
      status = planned.orElse(AutoStatus.NONE);
      if (planned.isPresent()) {
        publish(planned.get(), term.counters());
        if (settings.enabled()) {
          new Changes(term, round).make(planned.get(), leading);
        }
      }
    } catch (IOException e) {
      if (!HdfsNamespace.isTemporary(e)) {
        throw e;
      }
      LOG.warn("The NameNode refuses changes of replicas for now: {}", e.toString());
    }
    Duration rest = listing.multipliedBy(PAUSES_PER_LISTING);
    return rest.compareTo(settings.interval()) > 0 ? rest : settings.interval();
  }

  private static void publish(AutoStatus planned, ReconcilerMetrics counters) {
    counters.autoFiles.set(planned.files());
    counters.autoBytes.set(planned.bytes());
    counters.autoBudget.set(planned.budget());
  }

  private final class Changes {
    private final ReplicaNamespace namespace;
    private final ReconcilerMetrics counters;
    private final PathFailures failures;
    private final AutoRound round;

    Changes(Term term, AutoRound round) {
      this.namespace = term.namespace();
      this.counters = term.counters();
      this.failures = new PathFailures(term.counters());
      this.round = round;
    }

    void make(AutoStatus planned, BooleanSupplier leading)
        throws IOException, InterruptedException {
      int raised = 0;
      Instant end = timing.instant().plus(settings.interval());
      for (ReplicaChange change : planned.changes()) {
        if (!leading.getAsBoolean() || timing.instant().isAfter(end)) {
          return;
        }
        if (change.raises() && raised++ % CHANGES_PER_CHECK == 0 && isBusy()) {
          LOG.info(
              "More than {} blocks per DataNode wait for copies; no file under auto gets more"
                  + " before the next round",
              MAX_LOW_REDUNDANCY_PER_NODE);
          return;
        }
        if (!isAsPlanned(change)) {
          continue;
        }
        try {
          make(change);
        } catch (RefusedException e) {
          round.refuse(change.id());
          failures.refused(e);
        } catch (FileNotFoundException e) {
          LOG.debug("{} was removed meanwhile", change.path(), e);
        }
        timing.pause(Duration.ofSeconds(1).dividedBy(settings.rate()));
      }
    }

    /** The owner may have set another replication since the plan. The next plan keeps it. */
    private boolean isAsPlanned(ReplicaChange change) throws IOException {
      return namespace
              .find(change.id())
              .filter(file -> file.replication() == change.from())
              .isPresent()
          && namespace.isClosed(change.id());
    }

    private void make(ReplicaChange change) throws IOException {
      if (change.from() != change.to()) {
        round.mark(change);
        try {
          namespace.setReplication(change.id(), change.to());
        } catch (RefusedException e) {
          if (change.from() == change.own()) {
            round.unmark(change.id());
          }
          throw e;
        }
        (change.raises() ? counters.autoRaised : counters.autoLowered).incr();
        LOG.debug("{} has {} replicas instead of {}", change.path(), change.to(), change.from());
      }
      if (change.to() == change.own()) {
        round.unmark(change.id());
      }
    }

    private boolean isBusy() throws IOException {
      ReplicaNamespace.Capacity capacity = namespace.capacity();
      return capacity.lowRedundancyBlocks()
          > (long) MAX_LOW_REDUNDANCY_PER_NODE * Math.max(1, capacity.nodes());
    }
  }
}
