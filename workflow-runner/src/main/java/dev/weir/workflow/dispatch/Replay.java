package dev.weir.workflow.dispatch;

/**
 * Takes over what an earlier dispatcher of the same run recorded: each record goes to the part that
 * would have written it. Not thread-safe.
 */
final class Replay {

  private final Scene scene;
  private final Helm helm;
  private final Wishes wishes;
  private final Losses losses;
  private final Outcomes outcomes;

  Replay(Scene scene, Helm helm, Wishes wishes, Losses losses, Outcomes outcomes) {
    this.scene = scene;
    this.helm = helm;
    this.wishes = wishes;
    this.losses = losses;
    this.outcomes = outcomes;
  }

  /** Takes over one record; the next one came after it. */
  void replay(DispatchRecord record) {
    Board board = scene.board();
    if (record instanceof DispatchRecord.FilesLost lost) {
      losses.replay(lost);
    } else if (record instanceof DispatchRecord.Steered steered) {
      wishes.replay(steered);
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      board.takeOver(board.task(taken.task()), taken.outputs());
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      board.add(added.addition(), added.millis());
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      helm.cancel(givenUp.task());
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      outcomes.replay(ended);
    }
    scene.turn().forgetRecords();
  }
}
