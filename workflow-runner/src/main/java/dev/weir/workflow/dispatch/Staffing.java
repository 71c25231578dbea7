package dev.weir.workflow.dispatch;

import java.util.List;

/**
 * How many workers a run has use for, what a further one would do, and who may go. A part of a
 * {@link Dispatcher}, for the same thread.
 */
public final class Staffing {

  private final Board board;
  private final Crew crew;
  private final Hands hands;
  private final NodeCaches caches;
  private final Tally tally;

  /**
   * With nobody there.
   *
   * @param caches hears who has gone
   * @param tally how fast inputs have come so far
   */
  Staffing(Scene scene, NodeCaches caches, Tally tally) {
    this.board = scene.board();
    this.crew = scene.crew();
    this.hands = scene.hands();
    this.caches = caches;
    this.tally = tally;
  }

  /**
   * What a further worker would have to do.
   *
   * @param most how many inputs there may be
   * @return what is known at this moment
   */
  public Waiting waiting(int most) {
    return new Waiting(hands.waitingInputs(most), tally.bytesPerSecond());
  }

  /**
   * How many workers could have something to do, were all tasks ready that are to be done.
   *
   * @return the number, at least 0
   */
  public int wanted() {
    return board.wantedWorkers();
  }

  /**
   * Takes workers that have nothing to do for gone, those first that have been so for longest.
   *
   * @param atMost how many
   * @param since only such as have had nothing to do since then, in milliseconds since the epoch
   * @return their ids
   */
  public List<String> dismiss(int atMost, long since) {
    List<WorkerInfo> dismissed =
        crew.free(since).stream().limit(Math.max(0, atMost)).map(worker -> worker.info).toList();
    dismissed.forEach(worker -> crew.leave(worker.id()));
    dismissed.forEach(caches::left);
    return dismissed.stream().map(WorkerInfo::id).toList();
  }
}
