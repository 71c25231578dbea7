package dev.weir.yarn.ask;

/**
 * Whether a key's asks are withheld from the scheduler until the files are located. After a hold a
 * key is not held again for as long as the hold lasted. So a key's asks are with the scheduler at
 * least half of the time, however often names are added.
 *
 * @param sinceMillis when the hold began; meaningless unless active
 * @param noHoldUntilMillis no hold begins before this time
 */
record AskHold(boolean active, long sinceMillis, long noHoldUntilMillis) {

  static final AskHold NONE = new AskHold(false, 0, 0);

  static AskHold since(long millis) {
    return new AskHold(true, millis, 0);
  }

  boolean mayBegin(long nowMillis) {
    return nowMillis >= noHoldUntilMillis;
  }

  /** The state after the asks have gone to the scheduler. */
  AskHold released(long nowMillis) {
    return active ? new AskHold(false, 0, nowMillis + (nowMillis - sinceMillis)) : this;
  }
}
