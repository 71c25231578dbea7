package dev.weir.workflow.dispatch;

/**
 * Takes over what an earlier dispatcher of the same run recorded: each record goes to the part that
 * would have written it. Not thread-safe.
 */
final class Replay {

  private final Scene scene;
  private final Parts parts;

  /** What records go to. */
  record Parts(Helm helm, Wishes wishes, Losses losses, Outcomes outcomes, Tidying tidying) {}

  Replay(Scene scene, Parts parts) {
    this.scene = scene;
    this.parts = parts;
  }

  /** Takes over one record; the next one came after it. */
  void replay(DispatchRecord record) {
    Board board = scene.board();
    if (record instanceof DispatchRecord.FilesLost lost) {
      parts.losses().replay(lost);
    } else if (record instanceof DispatchRecord.FilesLetGo gone) {
      parts.tidying().replay(gone);
    } else if (record instanceof DispatchRecord.FilesFound found) {
      parts.tidying().replay(found);
    } else if (record instanceof DispatchRecord.Steered steered) {
      parts.wishes().replay(steered);
    } else if (record instanceof DispatchRecord.TakenOver taken) {
      board.takeOver(board.task(taken.task()), taken.outputs());
    } else if (record instanceof DispatchRecord.TaskAdded added) {
      board.add(added.addition(), added.millis());
    } else if (record instanceof DispatchRecord.GivenUp givenUp) {
      parts.helm().cancel(givenUp.task());
    } else if (record instanceof DispatchRecord.AttemptEnded ended) {
      parts.outcomes().replay(ended);
    }
    scene.turn().forgetRecords();
  }
}
