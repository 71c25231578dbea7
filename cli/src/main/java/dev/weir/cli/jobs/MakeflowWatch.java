package dev.weir.cli.jobs;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the end of makeflow and detects failures that makeflow does not report.
 *
 * @param err receives messages for the user
 */
record MakeflowWatch(MakeflowSession session, PrintWriter err) {

  /**
   * Daemons of Open MPI 4 and 5. Debian's makeflow is linked with it and always has one as a child.
   */
  private static final Set<Path> MPI = Set.of(Path.of("orted"), Path.of("prted"));

  /**
   * Waits for the end of makeflow, and ends it if it hangs.
   *
   * @param makeflow the running process
   * @param still how long makeflow must be idle for that
   * @return its exit code, or 1 if that is 0 although rules have failed
   */
  int await(Process makeflow, Duration still) throws InterruptedException {
    while (!makeflow.waitFor(1, TimeUnit.SECONDS)) {
      if (session.isAtAnEnd(still) && !runsRules(makeflow)) {
        say("weir: makeflow waits for what failed rules would have made: it is ended");
        makeflow.destroy();
        makeflow.waitFor();
      }
    }
    List<String> failed = session.failedCommands();
    if (!failed.isEmpty()) {
      String how =
          failed.size() == 1
              ? "a rule has failed: "
              : failed.size() + " rules have failed, such as: ";
      say("weir: " + how + failed.get(0));
    }
    return makeflow.exitValue() == 0 && !failed.isEmpty() ? 1 : makeflow.exitValue();
  }

  /** Returns whether makeflow is running LOCAL rules itself. */
  static boolean runsRules(Process makeflow) {
    return makeflow.children().map(ProcessHandle::info).anyMatch(child -> !isOfMpi(child));
  }

  private static boolean isOfMpi(ProcessHandle.Info child) {
    return child
        .command()
        .map(program -> MPI.contains(Path.of(program).getFileName()))
        .orElse(false);
  }

  private void say(String text) {
    err.println(text);
    err.flush();
  }
}
