package dev.weir.workflow.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of a worker's shells, which has as many as the most commands that ran at a time.
 * Thread-safe.
 */
public final class CommandShells implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandShells.class);

  private final Map<String, String> environment;
  private final ProcessGuard guard;
  private final MemoryWatch memory = MemoryWatch.start();
  private final OrphanReaper orphans;
  private final Deque<CommandShell> idle = new ArrayDeque<>();
  private boolean closed;

  public CommandShells(Map<String, String> environment, ProcessGuard guard) {
    Map<String, String> all = new HashMap<>(environment);
    all.keySet().removeIf(CommandScript::bashCannotSet);
    all.put(ProcessGuard.MARK, guard.mark());
    this.environment = Map.copyOf(all);
    this.guard = guard;
    this.orphans = new OrphanReaper(Path.of("/proc"), guard.mark());
    orphans.start();
  }

  /** Returns the guard that kills process groups of commands. */
  ProcessGuard guard() {
    return guard;
  }

  /** Returns the monitor of the commands' memory. */
  MemoryWatch memory() {
    return memory;
  }

  /** Returns the reaper of processes that left their command's group. */
  OrphanReaper orphans() {
    return orphans;
  }

  /**
   * Returns a shell for one command.
   *
   * @throws IOException when none can be started
   */
  CommandShell acquire() throws IOException {
    synchronized (this) {
      if (closed) {
        throw new IOException("the worker is shutting down");
      }
      while (!idle.isEmpty()) {
        CommandShell shell = idle.pop();
        if (shell.isAlive()) {
          return shell;
        }
      }
    }
    return CommandShell.start(environment, guard);
  }

  /** Takes a shell back whose command has ended. */
  void release(CommandShell shell) {
    synchronized (this) {
      if (!closed) {
        idle.push(shell);
        return;
      }
    }
    end(shell);
  }

  /** Ends a shell that has lost its command; the caller kills the command. */
  void discard(CommandShell shell) {
    shell.unregister();
    end(shell);
  }

  @Override
  public synchronized void close() {
    closed = true;
    memory.close();
    orphans.close();
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
