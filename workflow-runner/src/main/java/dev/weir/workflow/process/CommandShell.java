package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shell that starts one command after the other, each in a process group of its own. Java starts
 * a program that then starts the command (setsid) in twice the time that a small shell, which does
 * nothing else, needs to fork (docs/benchmarks-runner.md).
 *
 * <p>It is told the length of a {@link CommandScript} and the script, and says {@code + GROUP} when
 * the command has begun and {@code - CODE} when it has ended and what was left of its group is
 * killed; right before that, in two lines, the processor time of the shell and that of all commands
 * so far, each in and outside the kernel. Not thread-safe: one command at a time.
 */
final class CommandShell implements AutoCloseable {

  private static final String LOOP =
      """
      set -m
      exec 3>&1 >/dev/null 2>&1
      while IFS= read -r -N 10 length && IFS= read -r -N "$((10#$length))" script; do
        ( exec 3>&-; eval "$script" ) &
        group=$!
        echo "+ $group" >&3
        wait "$group"
        code=$?
        if [ "$code" -gt 128 ]; then
          # Not wait -f: bash 5.2 looks at the job after it has freed it, and may wait for ever.
          # Of a command that was stopped and went on, wait says that it was stopped.
          while kill -0 "$group"; do
            sleep 0.1
            wait "$group"
          done
          wait "$group"
          code=$?
        fi
        kill -s KILL -- "-$group"
        times >&3
        echo "- $code" >&3
      done
      """;

  private static final Logger LOG = LoggerFactory.getLogger(CommandShell.class);

  private final Process shell;
  private final Map<String, String> environment;
  private final ProcessGuard guard;
  private final ShellEnds ends;

  /** When it ended though nobody had told it to. */
  private ShellEnds.@Nullable End end;

  private boolean closing;

  /** Processor time of all commands that have ended; of the listening thread alone. */
  private long cpuMillis;

  private int timesHeard;
  private volatile @Nullable Running running;

  /** A command that was begun. */
  private static final class Running {
    private final CompletableFuture<Long> group = new CompletableFuture<>();
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private volatile long cpuMillis;
    private boolean announced;
    private boolean over;

    /** Tells the guard, if the command still runs, or sees that there still is one. */
    synchronized void announce(ProcessGuard guard) throws IOException {
      if (announced && !over) {
        guard.stand();
      }
      if (!announced && !over && group.isDone() && !group.isCompletedExceptionally()) {
        guard.began(group.join());
        announced = true;
      }
    }

    synchronized void ended(ProcessGuard guard) {
      over = true;
      if (announced) {
        guard.over(group.join());
      }
    }

    void broken(IOException why) {
      group.completeExceptionally(why);
      code.completeExceptionally(why);
    }
  }

  private CommandShell(
      Process shell, Map<String, String> environment, ProcessGuard guard, ShellEnds ends) {
    this.ends = ends;
    this.shell = shell;
    this.environment = environment;
    this.guard = guard;
  }

  /**
   * Starts a shell.
   *
   * @param environment all variables that it has and commands inherit
   * @param guard is told of every command that runs for a while
   * @param ends is told when the shell ends by itself
   * @throws IOException when there is no bash
   */
  static CommandShell start(Map<String, String> environment, ProcessGuard guard, ShellEnds ends)
      throws IOException {
    ProcessBuilder builder =
        // A session of its own: what ends the worker's group must leave it to the guard.
        new ProcessBuilder(List.of("setsid", "bash", "--noprofile", "--norc", "-c", LOOP))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(environment);
    // To this shell a letter is a byte.
    builder.environment().put("LC_ALL", "C");
    CommandShell started = new CommandShell(builder.start(), environment, guard, ends);
    Thread reader = new Thread(started::listen, "commands of shell " + started.shell.pid());
    reader.setDaemon(true);
    reader.start();
    return started;
  }

  /** The variables that commands inherit. */
  Map<String, String> environment() {
    return environment;
  }

  boolean isAlive() {
    return shell.isAlive();
  }

  /**
   * Starts a command, when the last one has ended.
   *
   * @param script what the shell is to do for it
   * @throws IOException when the shell is gone
   */
  void begin(String script) throws IOException {
    running = new Running();
    byte[] bytes = script.getBytes(UTF_8);
    OutputStream pipe = shell.getOutputStream();
    pipe.write(String.format(Locale.ROOT, "%010d", bytes.length).getBytes(US_ASCII));
    pipe.write(bytes);
    pipe.flush();
    if (!shell.isAlive()) {
      gone();
    }
  }

  /**
   * What becomes of the command.
   *
   * @return its exit code in time, 128 + n when signal n ended it; or an {@link IOException}
   */
  CompletableFuture<Integer> code() {
    return current().code;
  }

  /** The processor time of a command that has ended, in milliseconds. */
  long cpuMillis() {
    return current().cpuMillis;
  }

  /** The process group of the command, as soon as it has one; or an {@link IOException}. */
  CompletableFuture<Long> group() {
    return current().group;
  }

  /**
   * Tells the guard of the command, which has run for a while. Most are over before that, and two
   * messages to another process are a good part of what one of them costs; if the worker ends so
   * early the guard finds them by their variable.
   */
  void announce() {
    try {
      current().announce(guard);
    } catch (IOException e) {
      tell("Nobody guards a command; trying again", e);
    }
  }

  /**
   * Of a shell that has ended under a command: whether that may be the command's doing. It is not
   * when the command never began, nor likely when other shells ended at that moment, too; waits for
   * these a second.
   *
   * @throws InterruptedException when interrupted while it waits
   */
  boolean isPerhapsEndedByCommand() throws InterruptedException {
    ShellEnds.End known;
    synchronized (this) {
      known = end;
    }
    return hasBegun() && (known == null || !ends.isTogether(known));
  }

  /** Whether the shell has said that the command runs. */
  boolean hasBegun() {
    return group().isDone() && !group().isCompletedExceptionally();
  }

  /** The guard need not look after the command any more, of which nobody will say that it ended. */
  void forget() {
    current().ended(guard);
  }

  private Running current() {
    Running now = running;
    if (now == null) {
      throw new IllegalStateException("no command was begun");
    }
    return now;
  }

  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(shell.getInputStream(), US_ASCII), 64)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        hear(line);
      }
    } catch (IOException e) {
      tell("As if the shell of commands had ended", e);
    } finally {
      gone();
    }
  }

  /** When the worker ends there is nothing that anybody could do about it. */
  private void tell(String trouble, IOException why) {
    if (guard.isClosed()) {
      LOG.debug(trouble, why);
    } else {
      LOG.warn(trouble, why);
    }
  }

  private void hear(String line) throws IOException {
    if (line.startsWith("+")) {
      // First, for without a guard too the command can be killed.
      current().group.complete(number(line));
      guard.stand();
    } else if (line.startsWith("-")) {
      current().ended(guard);
      current().code.complete((int) number(line));
    } else {
      // The shell's own, and then the commands'.
      long millis = ProcessorTime.parse(line);
      current().cpuMillis = Math.max(0, millis - cpuMillis);
      timesHeard++;
      if (timesHeard % 2 == 0) {
        cpuMillis = millis;
      }
    }
  }

  private static long number(String line) {
    return Long.parseLong(line, 2, line.length(), 10);
  }

  private void gone() {
    synchronized (this) {
      if (end == null && !closing) {
        end = ends.add();
      }
    }
    Running last = running;
    if (last != null) {
      last.broken(new IOException("the shell that started the command has ended"));
    }
  }

  /** Lets the shell end, which has nothing to do any more. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      closing = true;
    }
    shell.getOutputStream().close();
  }
}
