package dev.weir.workflow.dispatch;

/**
 * What the parts of a dispatcher that are about one graph work on together.
 *
 * @param board the tasks and files of the graph
 * @param crew the workers
 * @param hands who has which task
 * @param turn the event that is being handled
 * @param readRate how fast workers read from other nodes
 */
record Scene(Board board, Crew crew, Hands hands, Turn turn, ReadRate readRate) {

  /** With nothing in anybody's hands. */
  Scene(Board board, Crew crew, Turn turn) {
    this(board, crew, new Hands(crew, turn), turn, new ReadRate());
  }
}
