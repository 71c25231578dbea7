package dev.weir.workflow.am;

import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.run.MasterAddress;
import dev.weir.workflow.run.Staging;
import dev.weir.workflow.worker.Patience;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one ApplicationMaster of a run leaves to the next, so that its workers come to that one: the
 * secret of the run, and in the run's directory, which is its owner's alone, where it is. For any
 * thread.
 */
final class Handover {

  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  /** What YARN may need to find and start another container, once it knows that it has to. */
  private static final Duration START = Duration.ofMinutes(10);

  /** YARN looks three times in that time whether an ApplicationMaster is heard of. */
  private static final int LOOKS = 3;

  private final Secret secret;
  private final Place place;
  private final Duration patience;

  /** Where it is left. */
  interface Place {

    /** Nowhere: the workers end with their ApplicationMaster. */
    Place NOWHERE = address -> {};

    /** Leaves it, in the place of what was there. */
    void leave(MasterAddress address) throws IOException;
  }

  /**
   * A handover.
   *
   * @param secret of the run
   * @param patience how long workers look for another ApplicationMaster
   */
  Handover(Secret secret, Place place, Duration patience) {
    this.secret = secret;
    this.place = place;
    this.patience = patience;
  }

  /** When there is nobody to hand over to. */
  static Handover none() {
    return new Handover(Secret.generate(new SecureRandom()), Place.NOWHERE, Duration.ZERO);
  }

  /**
   * That of a run.
   *
   * @param staging the run's directory
   * @param expiry after how long YARN takes an ApplicationMaster for dead that it hears nothing of
   * @param journal how long an ApplicationMaster tries to read what the one before has left
   */
  static Handover of(Staging staging, Duration expiry, Duration journal) {
    return new Handover(
        secret(staging),
        address -> staging.writeJson(Staging.MASTER, address),
        patience(expiry, journal));
  }

  /** How long it may be until another ApplicationMaster takes workers in. */
  private static Duration patience(Duration expiry, Duration journal) {
    return expiry.plus(expiry.dividedBy(LOOKS)).plus(journal).plus(START);
  }

  private static Secret secret(Staging staging) {
    try {
      return Secret.fromHex(staging.readJson(Staging.MASTER, MasterAddress.class).secret());
    } catch (FileNotFoundException e) {
      LOG.debug("There was no ApplicationMaster before", e);
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("The workers of an earlier ApplicationMaster cannot come to this one", e);
    }
    return Secret.generate(new SecureRandom());
  }

  Secret secret() {
    return secret;
  }

  /** How long workers look for another ApplicationMaster, in milliseconds; 0 when none comes. */
  long patienceMillis() {
    return patience.toMillis();
  }

  /** Says where the ApplicationMaster is, as soon as HDFS takes it; blocks until then. */
  void tell(String host, int port) {
    MasterAddress address = new MasterAddress(host, port, secret.toHex(), patienceMillis());
    try {
      Patience.DEFAULT.run(() -> place.leave(address));
    } catch (IOException e) {
      LOG.warn("If this ApplicationMaster ends, its workers find no other", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
