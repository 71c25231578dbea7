package dev.weir.workflow.session;

import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process of an ApplicationMaster with its main thread, however that ends: Hadoop's
 * clients leave threads behind that would keep the container, and YARN would start no other before
 * it has missed this one for ten minutes.
 */
final class MasterExit {

  private static final Logger LOG = LoggerFactory.getLogger(MasterExit.class);

  private MasterExit() {}

  /** What an ApplicationMaster does. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException, InterruptedException, ExecutionException;
  }

  /**
   * Does the work, and ends the process: with 0, or when it failed with what {@link
   * MasterMemory#exitCode} says, which YARN takes for a death.
   *
   * @param exit ends it
   */
  static void after(Work work, IntConsumer exit) {
    int exitCode = 1;
    try {
      work.run();
      exitCode = 0;
    } catch (IOException | ExecutionException | RuntimeException | Error e) {
      // Errors, too: without memory or a class the process would stay, and do nothing.
      exitCode = MasterMemory.exitCode(e);
      LOG.error("The ApplicationMaster fails", e);
    } catch (InterruptedException e) {
      LOG.error("The ApplicationMaster was interrupted", e);
    } finally {
      // Also when there is no memory to write that down.
      exit.accept(exitCode);
    }
  }
}
