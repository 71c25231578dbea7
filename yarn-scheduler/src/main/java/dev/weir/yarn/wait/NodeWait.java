package dev.weir.yarn.wait;

/**
 * How long the rest of the cluster waits for the named nodes of a key. Any thread may shorten a
 * wait; none can extend it. A wait that was ended does not begin when a node is declined.
 *
 * <p>A wait has a cost only while another node is available. So where the scheduler asks about each
 * node, the wait begins when the first node with room is declined. This must not keep a large
 * container from reserving a node that is full of small ones, so a limit runs from the first
 * declined node of any kind.
 */
public final class NodeWait {

  /** No wait. */
  public static final NodeWait NONE = new NodeWait(0, 0, false, 0);

  private static final long NOT_BEGUN = Long.MAX_VALUE;

  private final long waitMillis;
  private final long limitMillis;
  private final boolean insisted;
  private volatile long begunMillis;
  private volatile long untilMillis;
  private volatile long limitedToMillis = NOT_BEGUN;

  private NodeWait(long waitMillis, long limitMillis, boolean insisted, long untilMillis) {
    this.waitMillis = waitMillis;
    this.limitMillis = limitMillis;
    this.insisted = insisted;
    this.untilMillis = untilMillis;
    this.begunMillis = untilMillis == NOT_BEGUN ? NOT_BEGUN : untilMillis - waitMillis;
  }

  /**
   * Creates a wait that has begun.
   *
   * @param insisted whether the application itself excluded other nodes, so that the wait must not
   *     be cut
   */
  public static NodeWait from(long nowMillis, long waitMillis, boolean insisted) {
    return new NodeWait(waitMillis, waitMillis, insisted, nowMillis + waitMillis);
  }

  /** Creates a wait that begins when the first node is declined. */
  public static NodeWait fromFirstDeclined(long waitMillis, long limitMillis, boolean insisted) {
    return new NodeWait(waitMillis, Math.max(waitMillis, limitMillis), insisted, NOT_BEGUN);
  }

  public boolean over(long nowMillis) {
    return nowMillis >= untilMillis || nowMillis >= limitedToMillis;
  }

  /**
   * Whether less time has passed since the end of the wait than it lasted. No other wait begins on
   * the key meanwhile, so that any node is accepted at least half of the time, however often files
   * are added.
   */
  public boolean rests(long nowMillis) {
    long ended = Math.min(untilMillis, limitedToMillis);
    return begun() && nowMillis >= ended && nowMillis - ended < ended - begunMillis;
  }

  /**
   * Records that a node was declined because of the wait.
   *
   * @return whether this began the wait
   */
  public boolean declined(long nowMillis, boolean withRoom) {
    // This runs thousands of times a second, and only the first call has something to begin.
    if (limitedToMillis == NOT_BEGUN || (withRoom && untilMillis == NOT_BEGUN)) {
      return begin(nowMillis, withRoom);
    }
    return false;
  }

  /** Whether it matters if a declined node has room. */
  public boolean countsRoom() {
    return untilMillis == NOT_BEGUN;
  }

  private synchronized boolean begin(long nowMillis, boolean withRoom) {
    boolean before = begun();
    if (limitedToMillis == NOT_BEGUN) {
      begunMillis = nowMillis;
      limitedToMillis = nowMillis + limitMillis;
    }
    if (withRoom && untilMillis == NOT_BEGUN) {
      untilMillis = nowMillis + waitMillis;
    }
    return !before;
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
  public boolean real() {
    return untilMillis > 0;
  }

  public boolean mayBeCut() {
    return !insisted;
  }

  /** Ends the wait, if it has not ended. */
  public synchronized void endBy(long millis) {
    untilMillis = Math.min(untilMillis, millis);
  }
}
