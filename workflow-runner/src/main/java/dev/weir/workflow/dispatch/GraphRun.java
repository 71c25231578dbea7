package dev.weir.workflow.dispatch;

import java.util.List;

/** The parts of a dispatcher that work on one graph. Not thread-safe. */
final class GraphRun {

  final Board board;
  final Tally tally;
  final Helm helm;
  final Finish finish;
  final Losses losses;
  final Outcomes outcomes;
  final Tidying tidying;
  final Wishes wishes;
  final Dealer dealer;
  final Recaller recaller;
  private final Overtaker overtaker;

  /** Whether bytes and ways to the end decide which task goes first. */
  private final boolean overtakes;

  /**
   * The parts for a graph of which nothing is done.
   *
   * @param limits when to stop trying
   * @param blame which nodes are to blame for failures
   */
  GraphRun(Scene scene, Limits limits, Blame blame) {
    this.board = scene.board();
    this.helm = new Helm(scene);
    this.tally = new Tally(scene);
    this.losses = new Losses(scene, helm);
    this.finish = new Finish(scene, helm, limits);
    this.outcomes = new Outcomes(scene, new Judge(board, limits), tally, finish, losses, blame);
    this.tidying = new Tidying(scene);
    this.wishes = new Wishes(scene, helm, finish);
    this.dealer = new Dealer(scene);
    this.recaller = new Recaller(scene);
    this.overtaker = new Overtaker(scene);
    this.overtakes = !board.grows && board.policy() == Policy.DATA_AWARE;
  }

  /** Has the results looked for when nothing is left to be done. */
  void check() {
    if (!board.grows) {
      finish.check();
    }
  }

  /** Takes from workers what others begin before what is ready. */
  void overtake() {
    if (overtakes) {
      overtaker.overtake();
    }
  }

  /** What an {@link Effect.Check} has found. */
  void checked(List<FileState> lost) {
    // A run that fails, or goes without some tasks, leaves the next one what is there.
    if (lost.isEmpty() && !finish.isOver() && board.dropped() == 0) {
      tidying.sweep();
    }
    finish.checked(lost);
    losses.lose(lost);
  }
}
