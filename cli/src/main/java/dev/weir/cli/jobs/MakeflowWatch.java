package dev.weir.cli.jobs;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Waits for the end of makeflow, and for what it fails to say of its own. */
final class MakeflowWatch {

  /** Daemons of Open MPI, 4 and 5: Debian's makeflow is built with it, and has one all its life. */
  private static final Set<Path> MPI = Set.of(Path.of("orted"), Path.of("prted"));

  private final MakeflowSession session;
  private final PrintWriter err;

  /**
   * A watch.
   *
   * @param err for what the user should know
   */
  MakeflowWatch(MakeflowSession session, PrintWriter err) {
    this.session = session;
    this.err = err;
  }

  /**
   * Waits for its end, and brings it about when makeflow waits for nothing.
   *
   * @param makeflow the running process
   * @param still how long nothing has to happen for that
   * @return its exit code, or 1 when it says 0 though rules have failed
   * @throws InterruptedException when the thread is interrupted
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

  /** Whether it runs LOCAL rules itself. */
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
