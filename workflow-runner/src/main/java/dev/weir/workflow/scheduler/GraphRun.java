package dev.weir.workflow.scheduler;

import java.util.List;

/** The parts of a dispatcher that work on one graph. Not thread-safe. */
final class GraphRun {

  final WorkflowState board;
  final RunStatistics tally;
  final SteeringHandler helm;
  final CompletionPolicy finish;
  final LostFiles losses;
  final AttemptCompletion outcomes;
  final IntermediateFileCleaner tidying;
  final SteeringRequests wishes;
  final TaskScheduler dealer;
  final LookAheadRecall recaller;
  private final RankPreemption overtaker;

  /** Whether bytes and ways to the end decide which task goes first. */
  private final boolean overtakes;

  /**
   * The parts for a graph of which nothing is done.
   *
   * @param limits when to stop trying
   * @param blame which nodes are to blame for failures
   */
  GraphRun(SchedulerContext scene, Limits limits, NodeBlacklist blame) {
    this.board = scene.board();
    this.helm = new SteeringHandler(scene);
    this.tally = new RunStatistics(scene);
    this.losses = new LostFiles(scene, helm);
    this.finish = new CompletionPolicy(scene, helm, limits);
    this.outcomes =
        new AttemptCompletion(
            scene, new FailurePolicy(board, limits), tally, finish, losses, blame);
    this.tidying = new IntermediateFileCleaner(scene);
    this.wishes = new SteeringRequests(scene, helm, finish);
    this.dealer = new TaskScheduler(scene);
    this.recaller = new LookAheadRecall(scene);
    this.overtaker = new RankPreemption(scene);
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
