package dev.weir.yarn.wait;

import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceRequestPBImpl;

/**
 * An ask for a rack or for any node that the scheduler may not use before a given time.
 *
 * <p>The Capacity scheduler's own locality delay counts scheduling opportunities: it places a
 * single pending container off-rack at the first of them, and with asynchronous scheduling an
 * opportunity lasts milliseconds. Relaxing the ask later by sending it again would ask again for
 * containers allocated meanwhile. So this class has two modes. With {@code WeirPlacementAllocator}
 * the ask is an ordinary one that carries the wait to the allocator. Otherwise the flag that
 * excludes other nodes depends on the clock.
 */
public final class WaitingRequest extends ResourceRequestPBImpl {

  private final LongSupplier clock;
  private final NodeWait nodeWait;
  private final boolean strict;

  /**
   * Creates an ask.
   *
   * @param strict whether the ask itself excludes other nodes
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
    return !strict || nodeWait.isOver(clock.getAsLong());
  }
}
