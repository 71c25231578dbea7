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
 * What one ApplicationMaster of a run leaves to the next, so that its workers come to that one: the
 * secret of the run, and in the run's directory, which is its owner's alone, where it is. An
 * earlier one that still goes on, because only YARN has lost it, sees its number there. For any
 * thread.
 */
public final class MasterFencing {

  private static final Logger LOG = LoggerFactory.getLogger(MasterFencing.class);

  /** What YARN may need to find and start another container, once it knows that it has to. */
  private static final Duration START = Duration.ofMinutes(10);

  /** YARN looks three times in that time whether an ApplicationMaster is heard of. */
  private static final int LOOKS = 3;

  /**
   * So long after this one has said that it is there an earlier one may still have attempts commit:
   * what it knows is good for {@link CommitLease#GOOD_MILLIS}, an order that it gives then commits
   * without asking for {@link TaskOrder#ASK_AFTER_MILLIS}, and messages take their time.
   */
  private static final long SETTLE_MILLIS =
      CommitLease.GOOD_MILLIS + TaskOrder.ASK_AFTER_MILLIS + 1_000;

  private static final HdfsRetry ONCE = HdfsRetry.of(Duration.ZERO, problem -> false);

  private final Secret secret;
  private final Place place;
  private final Term term;
  private final LongSupplier nanoTime;

  /** When this one has said that it is there; null before. */
  private volatile @Nullable Long saidNanos;

  private volatile Consumer<String> replaced = reason -> {};

  /**
   * An ApplicationMaster.
   *
   * @param attempt its number
   * @param patience how long workers look for another one
   */
  public record Term(int attempt, Duration patience) {

    /**
     * That of an ApplicationMaster under YARN.
     *
     * @param expiry after how long YARN takes one for dead that it hears nothing of
     * @param journal how long the next one tries to read what this one has left
     */
    public static Term of(int attempt, Duration expiry, Duration journal) {
      return new Term(attempt, expiry.plus(expiry.dividedBy(LOOKS)).plus(journal).plus(START));
    }
  }

  /** Where it is left. */
  interface Place {

    /** Nowhere: the workers end with their ApplicationMaster. */
    Place NOWHERE = address -> {};

    /** Leaves it, in the place of what was there. */
    void leave(MasterAddress address) throws IOException;

    /** What was left; nothing when there is none that can be used. */
    default Optional<MasterAddress> found() throws IOException {
      return Optional.empty();
    }

    /** The number of the last ApplicationMaster that has left anything; 0 when none has. */
    default int last() throws IOException {
      return found().map(MasterAddress::attempt).orElse(0);
    }
  }

  /** The directory of a run. */
  public static Place in(Staging staging) {
    return in(staging, Staging.MASTER);
  }

  /** A file of a directory. */
  static Place in(Staging staging, String name) {
    return new Place() {
      private long seen;
      private int last;

      @Override
      public void leave(MasterAddress address) throws IOException {
        staging.writeSecretJson(name, address);
      }

      /** Reads it when there is another than the last time, so most looks are one small call. */
      @Override
      public synchronized int last() throws IOException {
        long number = staging.number(name);
        if (number == 0) {
          return 0;
        }
        if (number != seen) {
          last = Place.super.last();
          seen = number;
        }
        return last;
      }

      @Override
      public Optional<MasterAddress> found() throws IOException {
        try {
          return Optional.of(staging.readJson(name, MasterAddress.class));
        } catch (FileNotFoundException e) {
          LOG.debug("No ApplicationMaster has left anything", e);
        } catch (Staging.UnreadableException e) {
          LOG.warn("What an earlier ApplicationMaster has left is of no use", e);
        }
        return Optional.empty();
      }
    };
  }

  private MasterFencing(Secret secret, Place place, Term term, LongSupplier nanoTime) {
    this.secret = secret;
    this.place = place;
    this.term = term;
    this.nanoTime = nanoTime;
  }

  /** When there is nobody to hand over to. */
  public static MasterFencing none() {
    return new MasterFencing(
        Secret.generate(new SecureRandom()),
        Place.NOWHERE,
        new Term(1, Duration.ZERO),
        System::nanoTime);
  }

  /**
   * That of a run. A second ApplicationMaster leaves its number here, before it reads what the
   * first one has written: that one is to write no more.
   *
   * @param reading how often to try to read what an earlier one has left, and to leave the number
   */
  public static MasterFencing of(Place place, Term term, HdfsRetry reading)
      throws InterruptedException {
    return of(place, term, reading, System::nanoTime);
  }

  /** The same by a clock, as of {@link System#nanoTime}. */
  static MasterFencing of(Place place, Term term, HdfsRetry reading, LongSupplier nanoTime)
      throws InterruptedException {
    Optional<Secret> earlier = Optional.empty();
    HdfsRetry claiming = reading;
    try {
      earlier = reading.through(place::found).map(address -> Secret.fromHex(address.secret()));
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("The workers of an earlier ApplicationMaster cannot come to this one", e);
      // HDFS has been waited for.
      claiming = ONCE;
    }
    Secret secret = earlier.orElseGet(() -> Secret.generate(new SecureRandom()));
    MasterFencing handover = new MasterFencing(secret, place, term, nanoTime);
    if (term.attempt() > 1) {
      handover.claim(claiming);
    }
    return handover;
  }

  /** Waits for an HDFS that takes nothing now: what is read after this is to be all there is. */
  private void claim(HdfsRetry patience) throws InterruptedException {
    try {
      patience.run(this::claimOrGiveUp);
    } catch (IOException e) {
      LOG.warn("An earlier ApplicationMaster that still goes on is not told of this one", e);
    }
  }

  private void claimOrGiveUp() throws IOException {
    try {
      leave(address("", 0));
    } catch (IOException e) {
      if (HdfsOutages.isOne(e)) {
        throw e;
      }
      LOG.warn("An earlier ApplicationMaster that still goes on cannot be told of this one", e);
    }
  }

  private void leave(MasterAddress address) throws IOException {
    place.leave(address);
    if (saidNanos == null) {
      saidNanos = nanoTime.getAsLong();
    }
  }

  private MasterAddress address(String host, int port) {
    return new MasterAddress(term.attempt(), host, port, secret.toHex(), patienceMillis());
  }

  public Secret secret() {
    return secret;
  }

  /** How long workers look for another ApplicationMaster, in milliseconds; 0 when none comes. */
  public long patienceMillis() {
    return term.patience().toMillis();
  }

  /**
   * Says where the ApplicationMaster is, as soon as HDFS takes it; blocks until then. One that
   * cannot even say that it is there does not go on: an earlier one might, so that no attempt could
   * ever be let commit.
   */
  public void tell(String host, int port) {
    try {
      HdfsRetry.DEFAULT.run(
          () -> {
            requireLast();
            leave(address(host, port));
          });
    } catch (IOException e) {
      LOG.warn("If this ApplicationMaster ends, its workers find no other", e);
      if (term.attempt() > 1 && saidNanos == null) {
        replaced.accept(
            "an earlier ApplicationMaster, if it still goes on, cannot be told of this one, "
                + term.attempt()
                + ": "
                + HdfsRefusals.explained(e));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Who is to hear why this ApplicationMaster is not to go on. */
  public void whenReplaced(Consumer<String> hears) {
    replaced = hears;
  }

  /**
   * Says whether this ApplicationMaster is the last that YARN has started for its run.
   *
   * @throws IOException when it is not, or it cannot be found out
   */
  public void requireLast() throws IOException {
    Optional<String> why = replacement();
    if (why.isPresent()) {
      replaced.accept(why.get());
      throw new IOException(why.get());
    }
  }

  /**
   * Says whether this ApplicationMaster may end what it is for. When that cannot be found out it
   * may: of one that was replaced YARN does not take the end.
   *
   * @throws IOException when another is known to have come
   */
  public void requireNoOther() throws IOException {
    Optional<String> why = known();
    if (why.isPresent()) {
      throw new IOException(why.get() + ", and ends it; this one leaves");
    }
  }

  /** Whether another is known to have come, which needs what is there. */
  public boolean isReplaced() {
    return known().isPresent();
  }

  private Optional<String> known() {
    try {
      return replacement();
    } catch (IOException e) {
      LOG.warn("Nobody knows whether there is another ApplicationMaster", e);
      return Optional.empty();
    }
  }

  /** Why this one is not the last; empty when it is. */
  private Optional<String> replacement() throws IOException {
    int last = place.last();
    if (last > term.attempt()) {
      return Optional.of(
          "ApplicationMaster " + last + " of this run has taken the place of " + term.attempt());
    }
    return last == 0 && saidNanos != null && place != Place.NOWHERE
        ? Optional.of(
            "another ApplicationMaster has ended what this one, " + term.attempt() + ", is for")
        : Optional.empty();
  }

  /**
   * Says whether this ApplicationMaster alone may let attempts commit.
   *
   * @throws IOException when it is not the last, an earlier one may not have seen yet that it is
   *     not, or it cannot be found out
   */
  public void requireAlone() throws IOException {
    requireLast();
    long millis = unsettledMillis();
    if (millis > 0) {
      throw new IOException(
          "an earlier ApplicationMaster, if it still goes on, need not know of this one, "
              + term.attempt()
              + ", for another "
              + millis
              + " ms");
    }
  }

  /**
   * How much longer an earlier ApplicationMaster that still goes on may have attempts commit, in
   * milliseconds, once this one has been able to say that it is there.
   */
  public long unsettledMillis() {
    Long said = saidNanos;
    if (term.attempt() == 1) {
      return 0;
    }
    return said == null
        ? SETTLE_MILLIS
        : Math.max(0, SETTLE_MILLIS - TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - said));
  }
}
