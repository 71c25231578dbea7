package dev.weir.yarn.wait;

import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceRequestPBImpl;

/**
 * An ask for a rack or for any node that the scheduler may not use before a given moment.
 *
 * <p>Why a class of its own: the Capacity scheduler counts patience in scheduling opportunities,
 * and one pending container is sent off-rack at the first of them; with asynchronous scheduling an
 * opportunity lasts milliseconds. To relax the ask later by sending it again would restore
 * containers that the scheduler has handed out in between. So there are two ways. Where {@link
 * WeirPlacementAllocator} is in use the ask is an ordinary one that brings it the wait. Where it is
 * not, the flag that forbids other nodes is read from the clock.
 */
public final class WaitingRequest extends ResourceRequestPBImpl {

  private final LongSupplier clock;
  private final NodeWait nodeWait;
  private final boolean strict;

  /**
   * An ask.
   *
   * @param strict whether the ask itself is to keep other nodes away
   */
  public WaitingRequest(LongSupplier clock, NodeWait nodeWait, boolean strict) {
    this.clock = clock;
    this.nodeWait = nodeWait;
    this.strict = strict;
  }

  public NodeWait nodeWait() {
    return nodeWait;
  }

  @Override
  public boolean getRelaxLocality() {
    return !strict || nodeWait.over(clock.getAsLong());
  }
}
