package dev.weir.service.reconcile;

import dev.weir.hints.store.HintStore;
import dev.weir.service.part.LeaderTask;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the NameNode's edits from the position of the last leader. The position is saved after
 * the edits were handled. So a leader that is killed leaves some edits to be handled twice, but
 * none unhandled.
 */
final class Reconciler implements LeaderTask {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
  private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);

  /** Sets changed this long before the last save may not have been handled. */
  private static final Duration SAVE_OVERLAP = Duration.ofSeconds(10);

  /** The delay between the effect of an edit and its publication. */
  private static final Duration PUBLICATION_DELAY = Duration.ofSeconds(2);

  /**
   * The longest delay of a save while a moved hint is awaited. Its edit may never arrive, because
   * the file may be under a snapshot. And while hinted files are removed continuously, some drop is
   * always pending.
   */
  private static final Duration MAX_SAVE_DELAY = Duration.ofMinutes(1);

  private final CallableRaisingIOE<Term> opener;
  private final HintStore store;
  private final ReconcilerSettings settings;
  private final Clock clock;
  private volatile Progress progress = Progress.NONE;

  /**
   * The resources of one term.
   *
   * @param reconciliation handles the edits
   * @param savedState the state that outlives the term
   * @param connection closed at the end of the term
   */
  record Term(
      Reconciliation reconciliation,
      ClientProtocol nameNode,
      ReconcilerStore savedState,
      ReconcilerMetrics counters,
      Closeable connection)
      implements Closeable {
    @Override
    public void close() throws IOException {
      savedState.close();
      connection.close();
    }
  }

  /**
   * The progress.
   *
   * @param transaction the last that was handled; -1 for none
   * @param time of the newest edit that was handled
   * @param behind the number of transactions that are not handled yet
   */
  private record Progress(long transaction, Instant time, long behind) {
    static final Progress NONE = new Progress(-1, Instant.EPOCH, 0);
  }

  /**
   * Creates the task.
   *
   * @param opener opens the resources of a term
   */
  Reconciler(
      CallableRaisingIOE<Term> opener, HintStore store, ReconcilerSettings settings, Clock clock) {
    this.opener = opener;
    this.store = store;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public boolean needsSuperuser() {
    return true;
  }

  @Override
  public String name() {
    return "reconciler";
  }

  /** Returns the fields for {@code GET /v1/status}. */
  Map<String, Object> status() {
    Progress current = progress;
    Map<String, Object> status = new LinkedHashMap<>();
    if (current.transaction() >= 0) {
      status.put("transaction", current.transaction());
      status.put("transactions-behind", current.behind());
    }
    return status;
  }

  @Override
  public void lead(BooleanSupplier leading) throws IOException, InterruptedException {
    if (!store.awaitLoaded(LOAD_TIMEOUT)) {
      throw new IOException("the hints have not been read yet");
    }
    try (Term term = opener.apply()) {
      long transaction = begin(term);
      while (leading.getAsBoolean()) {
        try {
          transaction = follow(term, transaction, leading);
        } catch (HdfsEdits.MissingException e) {
          LOG.warn("Edits after transaction {} are missing; listing hinted paths", transaction);
          transaction = rescan(term);
          // The missed edits are unknown, so clients must discard what they cached.
        }
      }
    } finally {
      progress = Progress.NONE;
    }
  }

  private long begin(Term term) throws IOException {
    Optional<ReconcilerStore.Saved> saved = term.savedState().load();
    if (saved.isEmpty()) {
      LOG.info("Reconciling for the first time: listing hinted paths");
      term.reconciliation().resume(List.of(), Instant.EPOCH);
      return rescan(term);
    }
    ReconcilerStore.Saved last = saved.get();
    LOG.info("Reconciling from transaction {} on", last.transaction());
    term.reconciliation().resume(last.files(), last.time().minus(SAVE_OVERLAP));
    progress = new Progress(last.transaction(), last.time(), 0);
    return last.transaction();
  }

  /**
   * Lists the hinted paths. Changes during the listing are in the edits after the transaction that
   * is read first.
   */
  private long rescan(Term term) throws IOException {
    Instant started = clock.instant();
    long last = HdfsEdits.last(term.nameNode());
    term.reconciliation().rescan(progress.time());
    progress = new Progress(last, started, 0);
    if (term.reconciliation().hasNoPendingDrops()) {
      save(term, last);
    }
    return last;
  }

  /** Detects that all edits made before a time have been handled. */
  private static final class CatchUp {
    private Instant time = Instant.EPOCH;
    private long newest = -1;

    void check(Term term, long handled, Instant now) throws IOException {
      if (newest < 0 && !term.reconciliation().hasNoPendingDrops()) {
        time = now;
        newest = HdfsEdits.last(term.nameNode());
      }
      if (newest >= 0 && handled >= newest) {
        term.reconciliation().dropPendingBefore(time.minus(PUBLICATION_DELAY));
        newest = -1;
      }
    }
  }

  /** Handles edits until the term ends or edits are missing. */
  private long follow(Term term, long from, BooleanSupplier leading)
      throws IOException, InterruptedException {
    HdfsEdits edits = new HdfsEdits(term.nameNode(), from);
    long transaction = from;
    long saved = from;
    Instant nextSave = clock.instant().plus(settings.save());
    Instant nextExpiry = clock.instant();
    long newest = -1;
    CatchUp catchUp = new CatchUp();
    while (leading.getAsBoolean()) {
      Instant polled = clock.instant();
      HdfsEdits.@Nullable Batch batch = edits.next(settings.poll());
      if (batch != null) {
        for (Edit edit : batch.edits()) {
          term.reconciliation().handle(edit);
        }
      }
      transaction = edits.position();
      progress = new Progress(transaction, polled, edits.behind());
      term.counters().transactionsBehind.set(progress.behind());
      Instant now = clock.instant();
      catchUp.check(term, transaction, now);
      if (batch == null || !now.isBefore(nextSave)) {
        term.reconciliation().followSets();
      }
      if (newest < 0 && !now.isBefore(nextExpiry)) {
        newest = HdfsEdits.last(term.nameNode());
      }
      if (newest >= 0 && transaction >= newest) {
        term.reconciliation().followTime(now);
        nextExpiry = now.plus(settings.expiry());
        newest = -1;
      }
      if (transaction != saved
          && !now.isBefore(nextSave)
          && (term.reconciliation().isSettled() || !now.isBefore(nextSave.plus(MAX_SAVE_DELAY)))) {
        save(term, transaction);
        saved = transaction;
        nextSave = now.plus(settings.save());
      }
    }
    return transaction;
  }

  private void save(Term term, long transaction) throws IOException {
    term.savedState()
        .save(
            new ReconcilerStore.Saved(
                transaction, progress.time(), term.reconciliation().expirableFiles()));
  }
}
