package dev.weir.workflow.process;

import dev.weir.workflow.record.ResourceUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command in a process group of its own, which ends as a whole: when the command exits, when
 * {@link #kill} is called, and when this JVM ends in whatever way ({@link ProcessGuard}).
 */
public final class TaskProcess {

  private static final Logger LOG = LoggerFactory.getLogger(TaskProcess.class);
  private static final long END_SECONDS = 3;

  private final CommandShells shells;
  private final CommandShell shell;
  private final AtomicBoolean returned = new AtomicBoolean();
  private final MemoryWatch.Watched memory;
  private volatile ResourceUse effort = ResourceUse.NONE;

  private TaskProcess(CommandShells shells, CommandShell shell) {
    this.shells = shells;
    this.shell = shell;
    this.memory = shells.memory().watch(shell.group(), shell::announce);
  }

  /** A command of which nobody will say how it ended. */
  public static final class LostException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean perhapsByCommand;

    private LostException(CommandShell shell, boolean perhapsByCommand, Throwable cause) {
      super(
          "the command was lost: the shell that "
              + (shell.hasBegun() ? "started the command has" : "was to start it")
              + " ended before it, killed by "
              + (perhapsByCommand ? "the command perhaps, or by " : "")
              + "another task of this node"
              + (perhapsByCommand ? "" : " perhaps, or by the command")
              + ": let it kill neither its parent ($PPID) nor all processes of its user (killall,"
              + " pkill)",
          cause);
      this.perhapsByCommand = perhapsByCommand;
    }

    /** Whether the command is to blame, as far as can be told. */
    public boolean isPerhapsByCommand() {
      return perhapsByCommand;
    }
  }

  /**
   * What to start.
   *
   * @param argv program and arguments
   * @param directory working directory
   * @param environment all variables of the command but the mark of its guard
   * @param stdout file for standard output
   * @param stderr file for standard error
   */
  public record Command(
      List<String> argv,
      Path directory,
      Map<String, String> environment,
      Path stdout,
      Path stderr) {}

  /**
   * Starts a command. A program that does not exist is no error here: it ends with 127 at once, and
   * its standard error says so.
   *
   * @throws IOException when it cannot be started
   */
  public static TaskProcess start(Command command, CommandShells shells) throws IOException {
    CommandShell shell = shells.take();
    OrphanReaper.Owner owner = OrphanReaper.Owner.of(command.environment());
    shells.strays().began(owner);
    boolean begun = false;
    try {
      shell.begin(CommandScript.of(command, shell.environment()));
      begun = true;
    } catch (IllegalArgumentException e) {
      shells.giveBack(shell);
      throw e;
    } finally {
      if (!begun) {
        shells.strays().over(owner);
      }
    }
    // Also when its shell has ended, and nobody waits for the command any more.
    var unused = shell.code().whenComplete((code, failure) -> shells.strays().over(owner));
    return new TaskProcess(shells, shell);
  }

  /**
   * Waits for the command, and for the end of what it left running.
   *
   * @return its exit code; 128 + n when signal n ended it
   * @throws LostException when the shell has ended that was to tell; the command is killed
   * @throws IOException when the worker ends
   * @throws InterruptedException when interrupted; the command runs on until {@link #kill}
   */
  public int await() throws IOException, InterruptedException {
    try {
      int code = shell.code().get();
      effort = new ResourceUse(shell.cpuMillis(), memory.peakBytes());
      giveBack();
      return code;
    } catch (ExecutionException e) {
      // Without its shell nobody waits for the command any more, which may still run.
      kill();
      if (shells.guard().isClosed()) {
        throw new IOException("the command was lost: the worker ends", e);
      }
      throw new LostException(shell, shell.isPerhapsEndedByCommand(), e);
    }
  }

  /** What the command took, when it has been waited for. */
  public ResourceUse effort() {
    return effort;
  }

  /** Kills the command and whatever it started; the shell is free when they have ended. */
  void kill() {
    var unused = shell.group().thenAccept(shells.guard()::kill);
    var unusedToo = shell.code().whenComplete((code, failure) -> over(failure != null));
  }

  /**
   * Kills them and waits until they have ended, so that their room is free; but not for ever for
   * what the kernel does not let go, such as a process that waits for a disk.
   */
  public void end() {
    // Of this command: when it has ended the shell is another's.
    CompletableFuture<Integer> code = shell.code();
    kill();
    try {
      int unused = code.get(END_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("A command has been killed and does not end", e);
    } catch (ExecutionException | InterruptedException e) {
      LOG.debug("Nobody waits for the end of a command that was killed", e);
    }
  }

  private void over(boolean lost) {
    if (!lost) {
      giveBack();
    } else if (returned.compareAndSet(false, true)) {
      memory.close();
      shells.lost(shell);
    }
  }

  private void giveBack() {
    if (returned.compareAndSet(false, true)) {
      memory.close();
      shells.giveBack(shell);
    }
  }
}
