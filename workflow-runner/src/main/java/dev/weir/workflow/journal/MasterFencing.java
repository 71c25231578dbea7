package dev.weir.workflow.journal;

import dev.weir.workflow.hdfs.HdfsOutages;
import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.staging.MasterAddress;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the workers of a run over to its next ApplicationMaster, and fences off the earlier ones.
 * It keeps the run's secret and the ApplicationMaster's address in the run's directory, which only
 * the owner may read. An earlier ApplicationMaster that still runs, because only YARN has lost it,
 * sees the newer number there. Thread-safe.
 */
public final class MasterFencing {

  private static final Logger LOG = LoggerFactory.getLogger(MasterFencing.class);

  /**
   * Time in which YARN allocates and starts another container, once it has found the old one lost.
   */
  private static final Duration CONTAINER_START = Duration.ofMinutes(10);

  /** YARN checks this many times per expiry interval whether an ApplicationMaster is alive. */
  private static final int LIVENESS_CHECKS = 3;

  /**
   * How long an earlier ApplicationMaster may let attempts commit after this one has published
   * itself. Its lease is valid for {@link CommitLease#VALID_MILLIS}, an order that it gives commits
   * without asking for {@link TaskOrder#ASK_AFTER_MILLIS}, and messages need time.
   */
  private static final long SETTLE_MILLIS =
      CommitLease.VALID_MILLIS + TaskOrder.ASK_AFTER_MILLIS + 1_000;

  private static final HdfsRetry ONCE = HdfsRetry.of(Duration.ZERO, problem -> false);

  private final Secret secret;
  private final AddressStore addresses;
  private final Term term;
  private final LongSupplier nanoTime;

  /** When this one was first published; null before. */
  private volatile @Nullable Long publishedNanos;

  private volatile Consumer<String> replaced = reason -> {};

  /**
   * An ApplicationMaster's turn at a run.
   *
   * @param workerSearchTime how long workers search for its successor
   */
  public record Term(int attempt, Duration workerSearchTime) {

    /**
     * Returns the term of an ApplicationMaster under YARN.
     *
     * @param expiry after how long without a heartbeat YARN declares one lost
     * @param journal how long the successor tries to read the journal
     */
    public static Term of(int attempt, Duration expiry, Duration journal) {
      return new Term(
          attempt,
          expiry.plus(expiry.dividedBy(LIVENESS_CHECKS)).plus(journal).plus(CONTAINER_START));
    }
  }

  interface AddressStore {

    /** Replaces the stored address. */
    void publish(MasterAddress address) throws IOException;

    /** Returns the stored address; empty when there is no usable one. */
    Optional<MasterAddress> find() throws IOException;

    /** Returns the number of the last ApplicationMaster that stored an address; 0 when none did. */
    default int last() throws IOException {
      return find().map(MasterAddress::attempt).orElse(0);
    }
  }

  /** Returns the address store of a run's directory. */
  public static AddressStore in(Staging staging) {
    return new AddressStore() {
      private long seen;
      private int last;

      @Override
      public void publish(MasterAddress address) throws IOException {
        staging.writeSecretJson(Staging.MASTER, address);
      }

      /**
       * Reads the file only when it was replaced since the last call, so most calls are one small
       * request.
       */
      @Override
      public synchronized int last() throws IOException {
        long number = staging.number(Staging.MASTER);
        if (number == 0) {
          return 0;
        }
        if (number != seen) {
          last = AddressStore.super.last();
          seen = number;
        }
        return last;
      }

      @Override
      public Optional<MasterAddress> find() throws IOException {
        try {
          return Optional.of(staging.readJson(Staging.MASTER, MasterAddress.class));
        } catch (FileNotFoundException e) {
          LOG.debug("No ApplicationMaster has published its address", e);
        } catch (Staging.UnreadableException e) {
          LOG.warn("The address of an earlier ApplicationMaster is unusable", e);
        }
        return Optional.empty();
      }
    };
  }

  private MasterFencing(Secret secret, AddressStore addresses, Term term, LongSupplier nanoTime) {
    this.secret = secret;
    this.addresses = addresses;
    this.term = term;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns the fencing of a run. A second ApplicationMaster publishes its number here before it
   * reads the journal of the first one, which must not write any more.
   *
   * @param reading retry policy for reading the earlier address and publishing the number
   */
  public static MasterFencing of(AddressStore addresses, Term term, HdfsRetry reading)
      throws InterruptedException {
    return of(addresses, term, reading, System::nanoTime);
  }

  /** Does the same with a clock that ticks as {@link System#nanoTime}. */
  static MasterFencing of(
      AddressStore addresses, Term term, HdfsRetry reading, LongSupplier nanoTime)
      throws InterruptedException {
    Optional<Secret> earlier = Optional.empty();
    HdfsRetry claiming = reading;
    try {
      earlier = reading.through(addresses::find).map(address -> Secret.fromHex(address.secret()));
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("The workers of an earlier ApplicationMaster cannot connect to this one", e);
      // The retry policy was used up by the read.
      claiming = ONCE;
    }
    Secret secret = earlier.orElseGet(() -> Secret.generate(new SecureRandom()));
    MasterFencing fencing = new MasterFencing(secret, addresses, term, nanoTime);
    if (term.attempt() > 1) {
      fencing.claim(claiming);
    }
    return fencing;
  }

  /** Waits while HDFS refuses writes: what is read after this must be complete. */
  private void claim(HdfsRetry retry) throws InterruptedException {
    try {
      retry.run(this::claimUnlessRefused);
    } catch (IOException e) {
      LOG.warn("Cannot fence off an earlier ApplicationMaster that may still run", e);
    }
  }

  private void claimUnlessRefused() throws IOException {
    try {
      publish(address("", 0));
    } catch (IOException e) {
      if (HdfsOutages.isOutage(e)) {
        throw e;
      }
      LOG.warn("Cannot fence off an earlier ApplicationMaster that may still run", e);
    }
  }

  private void publish(MasterAddress address) throws IOException {
    addresses.publish(address);
    if (publishedNanos == null) {
      publishedNanos = nanoTime.getAsLong();
    }
  }

  private MasterAddress address(String host, int port) {
    return new MasterAddress(term.attempt(), host, port, secret.toHex(), workerSearchMillis());
  }

  public Secret secret() {
    return secret;
  }

  /**
   * Returns how long workers search for another ApplicationMaster, in milliseconds; 0 when there
   * will be none.
   */
  public long workerSearchMillis() {
    return term.workerSearchTime().toMillis();
  }

  /**
   * Publishes the ApplicationMaster's address; blocks until HDFS accepts it. An ApplicationMaster
   * that cannot publish even its number gives up: an earlier one might still run, so that no
   * attempt could ever commit.
   */
  public void publish(String host, int port) {
    try {
      HdfsRetry.DEFAULT.run(
          () -> {
            requireLast();
            publish(address(host, port));
          });
    } catch (IOException e) {
      LOG.warn(
          "Cannot publish the address; if this ApplicationMaster ends, its workers find no other",
          e);
      if (term.attempt() > 1 && publishedNanos == null) {
        replaced.accept(
            "an earlier ApplicationMaster, if it still runs, cannot be fenced off by this one, "
                + term.attempt()
                + ": "
                + HdfsRefusals.explained(e));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Registers a listener that receives the reason why this ApplicationMaster must stop. */
  public void onReplaced(Consumer<String> listener) {
    replaced = listener;
  }

  /**
   * Checks that this ApplicationMaster is the last that YARN has started for its run.
   *
   * @throws IOException when it is not, or that cannot be determined
   */
  public void requireLast() throws IOException {
    Optional<String> why = replacement();
    if (why.isPresent()) {
      replaced.accept(why.get());
      throw new IOException(why.get());
    }
  }

  /**
   * Checks that this ApplicationMaster may end its run. When that cannot be determined it may: YARN
   * ignores the end of a replaced ApplicationMaster.
   *
   * @throws IOException when another is known to have started
   */
  public void requireNotReplaced() throws IOException {
    Optional<String> why = knownReplacement();
    if (why.isPresent()) {
      throw new IOException(why.get() + ", and will end it; this one stops");
    }
  }

  /** Returns whether another is known to have started, which may need the staged files. */
  public boolean isReplaced() {
    return knownReplacement().isPresent();
  }

  private Optional<String> knownReplacement() {
    try {
      return replacement();
    } catch (IOException e) {
      LOG.warn("Cannot determine whether there is another ApplicationMaster", e);
      return Optional.empty();
    }
  }

  /** Returns why this one is not the last; empty when it is. */
  private Optional<String> replacement() throws IOException {
    int last = addresses.last();
    if (last > term.attempt()) {
      return Optional.of(
          "ApplicationMaster " + last + " of this run has taken the place of " + term.attempt());
    }
    return last == 0 && publishedNanos != null
        ? Optional.of("another ApplicationMaster has ended the run of this one, " + term.attempt())
        : Optional.empty();
  }

  /**
   * Checks that this ApplicationMaster alone may let attempts commit.
   *
   * @throws IOException when it is not the last, when an earlier one may not have seen this one
   *     yet, or when that cannot be determined
   */
  public void requireAlone() throws IOException {
    requireLast();
    long millis = unsettledMillis();
    if (millis > 0) {
      throw new IOException(
          "an earlier ApplicationMaster, if it still runs, may not have seen this one, "
              + term.attempt()
              + ", for another "
              + millis
              + " ms");
    }
  }

  /**
   * Returns how much longer an earlier ApplicationMaster may let attempts commit, in milliseconds,
   * counted from the publication of this one.
   */
  public long unsettledMillis() {
    Long published = publishedNanos;
    if (term.attempt() == 1) {
      return 0;
    }
    return published == null
        ? SETTLE_MILLIS
        : Math.max(
            0, SETTLE_MILLIS - TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - published));
  }
}
