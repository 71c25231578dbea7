package dev.weir.workflow.dispatch;

/**
 * Assigns what can be assigned after an event: wakes what has rested for long enough, gives ready
 * tasks to workers, and asks back what some have ahead when others have nothing to do. Not
 * thread-safe.
 */
final class Assigning {

  /** In a graph that grows a task that has been ready for so long waits for no better place. */
  private static final long OVERDUE_MILLIS = 30_000;

  private final Board board;
  private final Crew crew;
  private final Dealer dealer;
  private final Recaller recaller;
  private final boolean grows;

  /**
   * For a run.
   *
   * @param grows whether tasks are added
   */
  Assigning(Scene scene, boolean grows) {
    Hands hands = scene.hands();
    this.board = scene.board();
    this.crew = scene.crew();
    this.dealer = new Dealer(board, crew, hands::give);
    this.recaller = new Recaller(hands.ahead(), crew, hands::recall);
    this.grows = grows;
  }

  /** Does so; the time is in milliseconds since the epoch. */
  void assign(long now) {
    crew.wake(now);
    board.wake(now);
    if (grows) {
      dealer.dealOverdue(now - OVERDUE_MILLIS);
    }
    dealer.deal();
    if (board.ready().isEmpty()) {
      recaller.recall();
    }
  }
}
