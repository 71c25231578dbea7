package dev.weir.workflow.dispatch;

/**
 * What the parts of a dispatcher work on together.
 *
 * @param board the tasks and files
 * @param crew the workers
 * @param hands who has which task
 * @param turn the event that is being handled
 */
record Scene(Board board, Crew crew, Hands hands, Turn turn) {

  /** With nothing in anybody's hands. */
  Scene(Board board, Crew crew, Turn turn) {
    this(board, crew, new Hands(board, crew, turn), turn);
  }
}
