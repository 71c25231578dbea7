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
 * Sees to it that no command outlives its attempt or this JVM: a shell of its own session reads the
 * process groups of the commands from a pipe, kills those that it is told to, and when the pipe
 * closes, as it does after a {@code kill -9} of the worker too, all that are left. One shell does
 * for all commands of a worker, so that a command costs one process. Thread-safe.
 */
public final class ProcessGuard implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);

  /** The variable by which the guard knows commands that were not announced to it any more. */
  static final String MARK = "WEIR_WORKER";

  /**
   * What is told: {@code + GROUP} when a command has begun, {@code - GROUP} when it has to end,
   * {@code = GROUP} when nothing is left of it. The last sweep finds those that began so shortly
   * before the worker died that nobody had told of them, and those that left their group.
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
   * A guard.
   *
   * @param worker the worker's id, which no other worker on this machine has
   */
  public ProcessGuard(String worker) {
    this.mark = worker;
  }

  /** What each command must have as its variable {@link #MARK}. */
  String mark() {
    return mark;
  }

  /**
   * A command is about to begin, or has just begun: sees to it that there is somebody who finds it
   * if this JVM ends.
   *
   * @throws IOException when no guard can be had for it
   */
  synchronized void stand() throws IOException {
    Process current = shell;
    if (current == null || !current.isAlive()) {
      relieve();
    }
  }

  /**
   * A command has begun, and lasts.
   *
   * @param group its process group
   * @throws IOException when no guard can be had for it
   */
  synchronized void began(long group) throws IOException {
    boolean told = false;
    try {
      groups.add(group);
      tell("+ " + group);
      told = true;
    } finally {
      if (!told) {
        // Nobody says of it that it is over, and its number may be another's then.
        groups.remove(group);
      }
    }
  }

  /** Whether all commands were killed because the worker ends; it is no trouble that none is. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** How many groups were begun and are not over. */
  synchronized int guarded() {
    return groups.size();
  }

  /** Has the group of a command killed. Never fails. */
  synchronized void kill(long group) {
    if (closed) {
      return;
    }
    try {
      tell("- " + group);
    } catch (IOException e) {
      LOG.warn("Cannot kill the process {} and what it has started", group, e);
    }
  }

  /** Nothing is left of a group any more; its number may be another's soon. Never fails. */
  synchronized void over(long group) {
    groups.remove(group);
    if (closed) {
      return;
    }
    try {
      tell("= " + group);
    } catch (IOException e) {
      LOG.warn("Cannot forget the process {}", group, e);
    }
  }

  private void tell(String line) throws IOException {
    Process current = shell;
    if (current != null && current.isAlive()) {
      write(current, line);
      return;
    }
    write(relieve(), line);
  }

  /** A new guard in the place of none, or of one that has ended. */
  private Process relieve() throws IOException {
    if (closed) {
      throw new IOException("the worker ends");
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

  /** Has all commands killed. Idempotent. */
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
