package dev.weir.workflow.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shells of a worker: as many as commands have run at one time. Thread-safe. */
public final class CommandShells implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandShells.class);

  private final Map<String, String> environment;
  private final ProcessGuard guard;
  private final MemoryWatch memory = MemoryWatch.start();
  private final OrphanReaper strays;
  private final ShellEnds ends;
  private final Deque<CommandShell> idle = new ArrayDeque<>();
  private boolean closed;

  /**
   * None yet.
   *
   * @param environment variables that every command gets
   * @param guard ends what commands leave running when this JVM ends
   */
  public CommandShells(Map<String, String> environment, ProcessGuard guard) {
    this(environment, guard, System::nanoTime);
  }

  /**
   * The same with another time.
   *
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  CommandShells(Map<String, String> environment, ProcessGuard guard, LongSupplier nanoTime) {
    this.ends = new ShellEnds(nanoTime);
    Map<String, String> all = new HashMap<>(environment);
    all.keySet().removeIf(CommandScript::ofTheShell);
    // The shell's own is another.
    all.remove("LC_ALL");
    all.put(ProcessGuard.MARK, guard.mark());
    this.environment = Map.copyOf(all);
    this.guard = guard;
    this.strays = new OrphanReaper(Path.of("/proc"), guard.mark());
    strays.start();
  }

  /** Has all groups killed that belong to a command. */
  ProcessGuard guard() {
    return guard;
  }

  /** Sees how much memory commands have. */
  MemoryWatch memory() {
    return memory;
  }

  /** Kills what has left the group of its command. */
  OrphanReaper strays() {
    return strays;
  }

  /**
   * A shell for one command.
   *
   * @throws IOException when none can be started
   */
  CommandShell take() throws IOException {
    synchronized (this) {
      if (closed) {
        throw new IOException("the worker ends");
      }
      while (!idle.isEmpty()) {
        CommandShell shell = idle.pop();
        if (shell.isAlive()) {
          return shell;
        }
      }
    }
    return CommandShell.start(environment, guard, ends);
  }

  /** Takes one back whose command has ended. */
  void giveBack(CommandShell shell) {
    synchronized (this) {
      if (!closed) {
        idle.push(shell);
        return;
      }
    }
    end(shell);
  }

  /** Of one that has lost its command nothing is wanted any more; what it ran is killed. */
  void lost(CommandShell shell) {
    shell.forget();
    end(shell);
  }

  @Override
  public synchronized void close() {
    closed = true;
    memory.close();
    strays.close();
    idle.forEach(CommandShells::end);
    idle.clear();
  }

  private static void end(CommandShell shell) {
    try {
      shell.close();
    } catch (IOException e) {
      LOG.warn("Cannot end a shell that starts commands", e);
    }
  }
}
