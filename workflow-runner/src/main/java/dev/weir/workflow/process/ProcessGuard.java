package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that no command outlives its attempt or this JVM. A shell in a session of its own reads
 * the process groups of commands from a pipe and kills those that it is told to. When the pipe
 * closes, as it does even after a {@code kill -9} of the worker, it kills all that are left. One
 * shell serves all commands of a worker, so a command costs one process. Thread-safe.
 */
public final class ProcessGuard implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);

  /** The variable by which the guard finds commands that were not registered yet. */
  public static final String MARK = "WEIR_WORKER";

  /**
   * Reads {@code + GROUP} when a command has started, {@code - GROUP} when it must end, {@code =
   * GROUP} when nothing of it is left. The final sweep finds commands that started too shortly
   * before the worker's death to be registered, and processes that left their group.
   */
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      groups=
      while read -r what group; do
        case $what in
          +) groups="$groups $group" ;;
          -) kill -s KILL -- "-$group" ;;
          =) left=
             for other in $groups; do
               [ "$other" = "$group" ] || left="$left $other"
             done
             groups=$left ;;
        esac
      done
      for group in $groups; do kill -s KILL -- "-$group"; done
      for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -s KILL "${pid%/environ}"
      done
      """;

  private final String mark;
  private final Set<Long> groups = new TreeSet<>();
  private @Nullable Process shell;
  private boolean closed;

  /**
   * Creates a guard.
   *
   * @param worker the worker's id, unique on this machine
   */
  public ProcessGuard(String worker) {
    this.mark = worker;
  }

  /** Returns the value that each command must have in its variable {@link #MARK}. */
  public String mark() {
    return mark;
  }

  /**
   * Ensures that a guard shell is running, for a command that is about to start or has just
   * started.
   *
   * @throws IOException when no guard can be started
   */
  public synchronized void ensureRunning() throws IOException {
    Process current = shell;
    if (current == null || !current.isAlive()) {
      restart();
    }
  }

  /**
   * Registers a command that has run for a while.
   *
   * @throws IOException when no guard can be started
   */
  public synchronized void register(long group) throws IOException {
    boolean sent = false;
    try {
      groups.add(group);
      send("+ " + group);
      sent = true;
    } finally {
      if (!sent) {
        // Nothing would unregister it, and its number may be reused.
        groups.remove(group);
      }
    }
  }

  /** Returns whether all commands were killed because the worker ends. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Returns the number of registered groups. */
  synchronized int guarded() {
    return groups.size();
  }

  /** Kills the group of a command. Never fails. */
  public synchronized void kill(long group) {
    tell("- ", group);
  }

  /**
   * Unregisters a group of which nothing is left, because its number may be reused soon. Never
   * fails.
   */
  public synchronized void unregister(long group) {
    groups.remove(group);
    tell("= ", group);
  }

  private void tell(String what, long group) {
    if (closed) {
      return;
    }
    try {
      send(what + group);
    } catch (IOException e) {
      LOG.warn("Cannot send {}{} to the guard of the commands", what, group, e);
    }
  }

  private void send(String line) throws IOException {
    Process current = shell;
    if (current != null && current.isAlive()) {
      write(current, line);
      return;
    }
    write(restart(), line);
  }

  /** Starts a guard, or a replacement of one that has ended. */
  private Process restart() throws IOException {
    if (closed) {
      throw new IOException("the worker is shutting down");
    }
    Process fresh = start();
    shell = fresh;
    for (long group : groups) {
      write(fresh, "+ " + group);
    }
    return fresh;
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(List.of("setsid", "sh", "-c", SCRIPT, "sh", MARK + "=" + mark))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().retainAll(Set.of("PATH"));
    return builder.start();
  }

  private static void write(Process shell, String line) throws IOException {
    OutputStream pipe = shell.getOutputStream();
    pipe.write((line + "\n").getBytes(US_ASCII));
    pipe.flush();
  }

  /** Kills all commands. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    Process current = shell;
    if (current != null) {
      try {
        current.getOutputStream().close();
      } catch (IOException e) {
        LOG.warn("Cannot end the guard of the commands", e);
      }
    }
  }
}
