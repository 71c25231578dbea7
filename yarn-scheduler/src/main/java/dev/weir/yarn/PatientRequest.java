package dev.weir.yarn;

import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceRequestPBImpl;

/**
 * An ask for a rack or for any node that the scheduler may not use before a given moment.
 *
 * <p>Why a class of its own: the Capacity scheduler counts patience in scheduling opportunities,
 * and one pending container is sent off-rack at the first of them; with asynchronous scheduling an
 * opportunity lasts milliseconds. To relax the ask later by sending it again would restore
 * containers that the scheduler has handed out in between. So the flag is read from the clock.
 */
final class PatientRequest extends ResourceRequestPBImpl {

  private final LongSupplier clock;
  private final long untilMillis;

  PatientRequest(LongSupplier clock, long untilMillis) {
    this.clock = clock;
    this.untilMillis = untilMillis;
  }

  @Override
  public boolean getRelaxLocality() {
    return clock.getAsLong() >= untilMillis;
  }
}
