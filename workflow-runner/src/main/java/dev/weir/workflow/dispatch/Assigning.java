package dev.weir.workflow.dispatch;

/**
 * Assigns what can be assigned after an event, from the start of a run to its end: wakes what has
 * rested for long enough, gives ready tasks to workers, and asks back what some have ahead when
 * others have nothing to do, or begin shorter ways. Not thread-safe.
 */
final class Assigning {

  /** In a graph that grows a task that has been ready for so long waits for no better place. */
  private static final long OVERDUE_MILLIS = 30_000;

  private final Board board;
  private final Crew crew;
  private final Dealer dealer;
  private final Overtaker overtaker;
  private final Recaller recaller;
  private final Finish finish;
  private final boolean grows;

  /** Whether bytes and ways to the end decide which task goes first. */
  private final boolean overtakes;

  private boolean started;

  /**
   * For a run that has not started.
   *
   * @param paces how long those take that others wait for
   * @param tally how fast inputs have come so far
   */
  Assigning(Scene scene, Paces paces, Tally tally, Finish finish, RunKind kind) {
    this.board = scene.board();
    this.crew = scene.crew();
    PricedWait prices = new PricedWait(scene, paces, tally);
    Dealer.Waits instead = kind.waits() ? prices::place : (task, worker) -> worker;
    LongerWay longer = new LongerWay(scene, paces, tally);
    this.dealer = new Dealer(board, crew, scene.hands()::give, instead, longer);
    this.overtaker = new Overtaker(scene, paces, tally);
    this.recaller = new Recaller(scene, paces, tally);
    this.finish = finish;
    this.grows = kind.grows();
    this.overtakes = !grows && board.policy() == Policy.DATA_AWARE;
  }

  /** Tasks are assigned from now on: which workers there are, and what they have, is known. */
  void start() {
    started = true;
  }

  /** Whether the run has started and not ended. */
  boolean goesOn() {
    return started && !finish.isOver();
  }

  /** An event was taken in: ends the run if it is over, and assigns what can be if it is not. */
  void round(long now) {
    if (!grows) {
      finish.check();
    }
    if (goesOn()) {
      assign(now);
    }
  }

  /**
   * Time has passed: what has waited for too long is asked back, also where tasks are ready that
   * nobody who has room may have. To be called once a second or so: it looks at many pairs in vain.
   * Where a graph grows what a worker keeps room for stays with it as long as others are ready.
   */
  void recall() {
    if (!grows || board.ready().isEmpty()) {
      recaller.recall();
    }
  }

  private void assign(long now) {
    crew.wake(now);
    board.wake(now);
    if (grows) {
      dealer.dealOverdue(now - OVERDUE_MILLIS);
    }
    if (overtakes) {
      overtaker.overtake();
    }
    dealer.deal();
    if (board.ready().isEmpty()) {
      recaller.recall();
    }
  }
}
