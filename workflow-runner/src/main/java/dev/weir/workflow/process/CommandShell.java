package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
 * A shell that starts one command after the other, each in a process group of its own. Starting a
 * command from Java by way of setsid takes twice as long as forking it from a small idle shell
 * (docs/benchmarks-runner.md).
 *
 * <p>The shell reads the length of a {@link CommandScript} and the script. It writes {@code +
 * GROUP} when the command has started, and {@code - CODE} when it has ended and the rest of its
 * group is killed. Right before that it writes the processor time of the shell and that of all
 * commands so far, a line each, in user and kernel mode. Not thread-safe: one command at a time.
 */
final class CommandShell implements AutoCloseable {

  private static final String LOOP =
      """
      set -m
      exec 3>&1 >/dev/null 2>&1
      while IFS= read -r -N 10 length && IFS= read -r -N "$((10#$length))" script; do
        eval "$script" 3>&- &
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

  /** Processor time of all ended commands; confined to the reader thread. */
  private long cpuMillis;

  private int timesLines;
  private volatile @Nullable Running running;

  /** A command that was started. */
  private static final class Running {
    private final CompletableFuture<Long> group = new CompletableFuture<>();
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private volatile long cpuMillis;
    private boolean registered;
    private boolean ended;

    /** Registers a command that still runs with the guard, or checks that the guard is alive. */
    synchronized void register(ProcessGuard guard) throws IOException {
      if (registered && !ended) {
        guard.ensureRunning();
      }
      if (!registered && !ended && group.isDone() && !group.isCompletedExceptionally()) {
        guard.register(group.join());
        registered = true;
      }
    }

    synchronized void ended(ProcessGuard guard) {
      ended = true;
      if (registered) {
        guard.unregister(group.join());
      }
    }

    void fail(IOException why) {
      group.completeExceptionally(why);
      code.completeExceptionally(why);
    }
  }

  private CommandShell(Process shell, Map<String, String> environment, ProcessGuard guard) {
    this.shell = shell;
    this.environment = environment;
    this.guard = guard;
  }

  /**
   * Starts a shell.
   *
   * @param environment all variables that it has and commands inherit
   * @param guard watches every command that runs for a while
   * @throws IOException when there is no bash
   */
  static CommandShell start(Map<String, String> environment, ProcessGuard guard)
      throws IOException {
    ProcessBuilder builder =
        // A session of its own: a signal to the worker's group must leave it to the guard.
        new ProcessBuilder(List.of("setsid", "bash", "--noprofile", "--norc", "-c", LOOP))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(environment);
    CommandShell started = new CommandShell(builder.start(), environment, guard);
    Thread reader = new Thread(started::listen, "commands of shell " + started.shell.pid());
    reader.setDaemon(true);
    reader.start();
    return started;
  }

  /** Returns the variables that commands inherit. */
  Map<String, String> environment() {
    return environment;
  }

  boolean isAlive() {
    return shell.isAlive();
  }

  /**
   * Starts a command; the previous one must have ended.
   *
   * @throws IOException when the shell has ended
   */
  void begin(String script) throws IOException {
    running = new Running();
    byte[] bytes = script.getBytes(US_ASCII);
    OutputStream pipe = shell.getOutputStream();
    pipe.write(String.format(Locale.ROOT, "%010d", bytes.length).getBytes(US_ASCII));
    pipe.write(bytes);
    pipe.flush();
    if (!shell.isAlive()) {
      shellEnded();
    }
  }

  /**
   * Returns a future of the command's exit code, 128 + n after signal n; it fails with an {@link
   * IOException}.
   */
  CompletableFuture<Integer> code() {
    return current().code;
  }

  /** Returns the processor time of a command that has ended, in milliseconds. */
  long cpuMillis() {
    return current().cpuMillis;
  }

  /** Returns a future of the command's process group; it fails with an {@link IOException}. */
  CompletableFuture<Long> group() {
    return current().group;
  }

  /**
   * Registers a command that has run for a while with the guard. Most commands end earlier, and two
   * messages to another process are a large part of a short command's cost. If the worker dies
   * before that, the guard finds the command by its variable.
   */
  void register() {
    try {
      current().register(guard);
    } catch (IOException e) {
      report("Cannot guard a command; retrying", e);
    }
  }

  /** Returns whether the command has started. */
  boolean hasBegun() {
    return group().isDone() && !group().isCompletedExceptionally();
  }

  /** Removes the command from the guard, because the shell will not report its end. */
  void unregister() {
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
        handle(line);
      }
    } catch (IOException e) {
      report("Cannot read from the shell; treating it as ended", e);
    } finally {
      shellEnded();
    }
  }

  /** Logs a problem; at the worker's end it is expected. */
  private void report(String problem, IOException why) {
    if (guard.isClosed()) {
      LOG.debug(problem, why);
    } else {
      LOG.warn(problem, why);
    }
  }

  private void handle(String line) throws IOException {
    if (line.startsWith("+")) {
      // Completed first, because the command can be killed even without a guard.
      current().group.complete(number(line));
      guard.ensureRunning();
    } else if (line.startsWith("-")) {
      current().ended(guard);
      current().code.complete((int) number(line));
    } else {
      // The first line is the shell's time, the second one the commands'.
      long millis = ProcessorTime.parse(line);
      current().cpuMillis = Math.max(0, millis - cpuMillis);
      timesLines++;
      if (timesLines % 2 == 0) {
        cpuMillis = millis;
      }
    }
  }

  private static long number(String line) {
    return Long.parseLong(line, 2, line.length(), 10);
  }

  private void shellEnded() {
    Running last = running;
    if (last != null) {
      last.fail(new IOException("the shell that started the command has ended"));
    }
  }

  /** Lets the idle shell end. */
  @Override
  public void close() throws IOException {
    shell.getOutputStream().close();
  }
}
