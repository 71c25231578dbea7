package dev.weir.workflow.scheduler;

/**
 * Which files nobody needs any more. A file may go when all of this holds:
 *
 * <ul>
 *   <li>somebody has said that it is to be deleted when it is not needed: it is in between, and
 *       nobody wants to keep it;
 *   <li>it was not there when the run began, so that nobody else has made it or kept it: then it
 *       counts as one that nobody has said to delete;
 *   <li>an attempt of this run has made it: what was taken over from an earlier run is not this
 *       run's to delete;
 *   <li>it is there, and was not let go before;
 *   <li>the task that made it is at rest, and so are all that read it: done, so that their outputs
 *       are committed, with no second copy that still reads. One that has failed for good or was
 *       cancelled is not: it may be tried again, in this run or the next.
 * </ul>
 *
 * <p>A task that is done may have to be repeated for a file that is lost later; then what it reads
 * is made again, too, as deep as it takes.
 */
final class UnneededFiles {

  private UnneededFiles() {}

  /** Whether a file may go now. */
  static boolean is(FileState file) {
    TaskState producer = file.producer;
    return file.temporary
        && file.available()
        && !file.isLetGo()
        && file.madeMillis() > 0
        && producer != null
        && producer.isAtRest()
        && !file.readers.isEmpty()
        && !file.hasBusyReader();
  }
}
