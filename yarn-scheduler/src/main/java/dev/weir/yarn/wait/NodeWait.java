package dev.weir.yarn.wait;

/**
 * For how long the rest of the cluster is to wait for the named nodes of a key. May be cut short by
 * any thread, never prolonged: one that has been ended does not begin when a node is declined.
 *
 * <p>A wait costs something only while there is another node to go to. So where the scheduler asks
 * about each node, the wait begins when the first one with room is declined. That must not keep a
 * large container from ever reserving a node that is full of small ones, so a limit runs from the
 * first node of any kind that is declined.
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
   * A wait that has begun.
   *
   * @param insisted whether the application forbade other nodes itself, so that we do not judge
   */
  public static NodeWait from(long nowMillis, long waitMillis, boolean insisted) {
    return new NodeWait(waitMillis, waitMillis, insisted, nowMillis + waitMillis);
  }

  /** A wait that begins when the first node is declined. */
  public static NodeWait fromFirstDeclined(long waitMillis, long limitMillis, boolean insisted) {
    return new NodeWait(waitMillis, Math.max(waitMillis, limitMillis), insisted, NOT_BEGUN);
  }

  public boolean over(long nowMillis) {
    return nowMillis >= untilMillis || nowMillis >= limitedToMillis;
  }

  /**
   * Whether it has ended less long ago than it lasted. No other wait begins on the key then, so
   * that at least half of the time any node will do, however often files are added.
   */
  public boolean rests(long nowMillis) {
    long ended = Math.min(untilMillis, limitedToMillis);
    return begun() && nowMillis >= ended && nowMillis - ended < ended - begunMillis;
  }

  /**
   * A node is declined for its sake.
   *
   * @return whether it has begun with that
   */
  public boolean declined(long nowMillis, boolean withRoom) {
    // By the thousand a second, and nothing is left to begin by all but the first.
    if (limitedToMillis == NOT_BEGUN || (withRoom && untilMillis == NOT_BEGUN)) {
      return begin(nowMillis, withRoom);
    }
    return false;
  }

  /** Whether it matters if a node that is declined has room. */
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

  /** How long it may still last once it has begun. */
  public long remaining(long nowMillis) {
    return untilMillis == NOT_BEGUN ? waitMillis : Math.max(0, untilMillis - nowMillis);
  }

  /** Whether some node has been declined for its sake, or it needs none to begin. */
  public boolean begun() {
    return untilMillis != NOT_BEGUN || limitedToMillis != NOT_BEGUN;
  }

  /** Whether this is or was a wait. */
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
