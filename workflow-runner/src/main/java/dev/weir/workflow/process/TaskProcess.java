package dev.weir.workflow.process;

import dev.weir.workflow.record.ResourceUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command in a process group of its own, which ends as a whole: when the command exits, when
 * {@link #kill} is called, and when this JVM ends for any reason ({@link ProcessGuard}).
 */
public final class TaskProcess {

  private static final Logger LOG = LoggerFactory.getLogger(TaskProcess.class);
  private static final long MAX_WAIT_SECONDS = 3;

  private final CommandShells shells;
  private final CommandShell shell;
  private final AtomicBoolean released = new AtomicBoolean();
  private final MemoryWatch.WatchedCommand memory;
  private volatile ResourceUse effort = ResourceUse.NONE;

  private TaskProcess(CommandShells shells, CommandShell shell) {
    this.shells = shells;
    this.shell = shell;
    this.memory = shells.memory().watch(shell.group(), shell::register);
  }

  /** A command whose exit code is lost. */
  public static final class LostException extends IOException {

    private static final long serialVersionUID = 1L;

    private LostException(CommandShell shell, Throwable cause) {
      super(
          "the command was lost: the shell that "
              + (shell.hasBegun() ? "started the command has" : "was to start it")
              + " ended before it, killed by the command perhaps, or by another task of this node:"
              + " let it kill neither its parent ($PPID) nor all processes of its user (killall,"
              + " pkill)",
          cause);
    }
  }

  /**
   * What to start.
   *
   * @param directory working directory
   * @param environment all variables of the command but the mark of its guard
   */
  public record Command(
      List<String> argv,
      Path directory,
      Map<String, String> environment,
      Path stdout,
      Path stderr) {}

  /**
   * Starts a command. A missing program is no error here: the command ends with 127 at once, and
   * its standard error says so.
   */
  public static TaskProcess start(Command command, CommandShells shells) throws IOException {
    CommandShell shell = shells.acquire();
    OrphanReaper.Owner owner = OrphanReaper.Owner.of(command.environment());
    shells.orphans().commandStarted(owner);
    boolean begun = false;
    try {
      shell.begin(CommandScript.of(command, shell.environment()));
      begun = true;
    } catch (IllegalArgumentException e) {
      shells.release(shell);
      throw e;
    } finally {
      if (!begun) {
        shells.orphans().commandEnded(owner);
      }
    }
    // Called even when the shell has ended and no thread waits for the command any more.
    var unused = shell.code().whenComplete((code, failure) -> shells.orphans().commandEnded(owner));
    return new TaskProcess(shells, shell);
  }

  /**
   * Waits until the command has ended and its remaining processes are killed.
   *
   * @param limitMillis kills the command if it has not ended after this time; 0 for no limit
   * @return its exit code; 128 + n after signal n; empty if it was killed for the limit
   * @throws LostException when the command's shell has ended; the command is killed
   * @throws IOException when the worker ends
   * @throws InterruptedException when interrupted; the command keeps running until {@link #kill}
   */
  public OptionalInt await(long limitMillis) throws IOException, InterruptedException {
    try {
      int code =
          limitMillis == 0
              ? shell.code().get()
              : shell.code().get(limitMillis, TimeUnit.MILLISECONDS);
      effort = new ResourceUse(shell.cpuMillis(), memory.peakBytes());
      returnShell();
      return OptionalInt.of(code);
    } catch (TimeoutException e) {
      end();
      return OptionalInt.empty();
    } catch (ExecutionException e) {
      // Without its shell the command is unattended, and may still run.
      kill();
      if (shells.guard().isClosed()) {
        throw new IOException("the command was lost: the worker is shutting down", e);
      }
      throw new LostException(shell, e);
    }
  }

  /** Returns the resources that the command used; set by {@link #await}. */
  public ResourceUse effort() {
    return effort;
  }

  /** Kills the command and its descendants; the shell is reused when they have ended. */
  void kill() {
    var unused = shell.group().thenAccept(shells.guard()::kill);
    var unusedEnd = shell.code().whenComplete((code, failure) -> release(failure != null));
  }

  /**
   * Kills the command and waits until it has ended, so that its memory and files are free. Waits
   * only a limited time, because the kernel does not end a process that waits for a disk.
   */
  public void end() {
    // Read before the kill: afterwards the shell may have another command.
    CompletableFuture<Integer> code = shell.code();
    kill();
    try {
      int unused = code.get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("A killed command does not end", e);
    } catch (ExecutionException | InterruptedException e) {
      LOG.debug("Not waiting for the end of a killed command", e);
    }
  }

  private void release(boolean lost) {
    if (!lost) {
      returnShell();
    } else if (released.compareAndSet(false, true)) {
      memory.close();
      shells.discard(shell);
    }
  }

  private void returnShell() {
    if (released.compareAndSet(false, true)) {
      memory.close();
      shells.release(shell);
    }
  }
}
