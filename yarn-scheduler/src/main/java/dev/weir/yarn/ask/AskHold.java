package dev.weir.yarn.ask;

/**
 * Whether a key's asks are kept from the scheduler until the files are located. After a hold a key
 * is left in peace for as long as it was held, so however often names are added, its asks are with
 * the scheduler half of the time.
 *
 * @param sinceMillis when the hold began; means nothing unless active
 * @param restUntilMillis no hold begins before
 */
record AskHold(boolean active, long sinceMillis, long restUntilMillis) {

  static final AskHold NONE = new AskHold(false, 0, 0);

  static AskHold since(long millis) {
    return new AskHold(true, millis, 0);
  }

  boolean mayBegin(long nowMillis) {
    return nowMillis >= restUntilMillis;
  }

  /** What follows when the asks go to the scheduler. */
  AskHold released(long nowMillis) {
    return active ? new AskHold(false, 0, nowMillis + (nowMillis - sinceMillis)) : this;
  }
}
