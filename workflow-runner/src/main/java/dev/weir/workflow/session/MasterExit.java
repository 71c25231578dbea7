package dev.weir.workflow.session;

import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an ApplicationMaster's process when its main thread ends. Threads of Hadoop's clients would
 * keep the process alive, and YARN would start the next attempt only after ten minutes without
 * heartbeats.
 */
final class MasterExit {

  private static final Logger LOG = LoggerFactory.getLogger(MasterExit.class);

  private MasterExit() {}

  /** The work of an ApplicationMaster. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException, InterruptedException, ExecutionException;
  }

  /**
   * Does the work and ends the process with 0, or with {@link MasterMemory#exitCode} when the work
   * failed. YARN counts a nonzero code as a failed attempt.
   */
  static void after(Work work, IntConsumer exit) {
    int exitCode = 1;
    try {
      work.run();
      exitCode = 0;
    } catch (IOException | ExecutionException | RuntimeException | Error e) {
      // Errors too: after an OutOfMemoryError or a missing class the process would hang.
      exitCode = MasterMemory.exitCode(e);
      LOG.error("The ApplicationMaster fails", e);
    } catch (InterruptedException e) {
      LOG.error("The ApplicationMaster was interrupted", e);
    } finally {
      // Also when there was no memory for the log line.
      exit.accept(exitCode);
    }
  }
}
