package dev.weir.yarn.wait;

/**
 * How long a key waits for its named nodes before it accepts others. Any thread may shorten a wait;
 * none can extend it. An ended wait does not begin when a node is declined.
 *
 * <p>A wait has a cost only while another node is available. So if the scheduler checks each node,
 * the wait begins when the first node with room is declined. A large container must still be able
 * to reserve a node that is full of small ones, so a limit runs from the first declined node, with
 * or without room.
 */
public final class NodeWait {

  public static final NodeWait NONE = new NodeWait(0, 0, false, 0);

  private static final long NOT_BEGUN = Long.MAX_VALUE;

  private final long waitMillis;
  private final long limitMillis;
  private final boolean required;
  private volatile long begunMillis;
  private volatile long untilMillis;
  private volatile long limitedToMillis = NOT_BEGUN;

  private NodeWait(long waitMillis, long limitMillis, boolean required, long untilMillis) {
    this.waitMillis = waitMillis;
    this.limitMillis = limitMillis;
    this.required = required;
    this.untilMillis = untilMillis;
    this.begunMillis = untilMillis == NOT_BEGUN ? NOT_BEGUN : untilMillis - waitMillis;
  }

  /**
   * Creates a wait that has begun.
   *
   * @param required whether the application itself excluded other nodes, so that the wait must not
   *     be cut
   */
  public static NodeWait from(long nowMillis, long waitMillis, boolean required) {
    return new NodeWait(waitMillis, waitMillis, required, nowMillis + waitMillis);
  }

  /** Creates a wait that begins when the first node is declined. */
  public static NodeWait fromFirstDeclined(long waitMillis, long limitMillis, boolean required) {
    return new NodeWait(waitMillis, Math.max(waitMillis, limitMillis), required, NOT_BEGUN);
  }

  public boolean isOver(long nowMillis) {
    return nowMillis >= untilMillis || nowMillis >= limitedToMillis;
  }

  /**
   * Whether less time has passed since the end of the wait than it lasted. No other wait begins on
   * the key meanwhile, so that any node is accepted at least half of the time, however often files
   * are added.
   */
  public boolean isCoolingDown(long nowMillis) {
    long ended = Math.min(untilMillis, limitedToMillis);
    return begun() && nowMillis >= ended && nowMillis - ended < ended - begunMillis;
  }

  /** Records that a node was declined because of the wait. */
  public void declined(long nowMillis, boolean withRoom) {
    // Called thousands of times per second; only the first call begins the wait.
    if (limitedToMillis == NOT_BEGUN || (withRoom && untilMillis == NOT_BEGUN)) {
      begin(nowMillis, withRoom);
    }
  }

  /** Whether it matters if a declined node has room. */
  public boolean dependsOnRoom() {
    return untilMillis == NOT_BEGUN;
  }

  private synchronized void begin(long nowMillis, boolean withRoom) {
    if (limitedToMillis == NOT_BEGUN) {
      begunMillis = nowMillis;
      limitedToMillis = nowMillis + limitMillis;
    }
    if (withRoom && untilMillis == NOT_BEGUN) {
      untilMillis = nowMillis + waitMillis;
    }
  }

  /** The time that the wait may still last once it has begun. */
  public long remaining(long nowMillis) {
    return untilMillis == NOT_BEGUN ? waitMillis : Math.max(0, untilMillis - nowMillis);
  }

  /** Whether the wait has begun: a node was declined, or none was needed. */
  public boolean begun() {
    return untilMillis != NOT_BEGUN || limitedToMillis != NOT_BEGUN;
  }

  /** Whether this is or was a wait, unlike {@link #NONE}. */
  public boolean isWait() {
    return untilMillis > 0;
  }

  public boolean mayBeShortened() {
    return !required;
  }

  /** Ends the wait, if it has not ended. */
  public synchronized void endAt(long millis) {
    untilMillis = Math.min(untilMillis, millis);
  }
}
