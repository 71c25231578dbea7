package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.hints.DaemonThreadFactory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills processes that ended commands left outside of their process groups, such as daemons, which
 * would otherwise live as long as the worker. It identifies them by the variables that each command
 * passes to its processes; a process that clears them is not found. Thread-safe.
 */
final class OrphanReaper implements AutoCloseable {

  /** A scan takes a few milliseconds. */
  private static final long PERIOD_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(OrphanReaper.class);

  private final Path proc;
  private final String mark;

  /** Number of running commands by owner. */
  private final Map<Owner, Integer> running = new ConcurrentHashMap<>();

  /** Owners of ended commands, until a scan finds no process of theirs. */
  private final Set<Owner> ended = ConcurrentHashMap.newKeySet();

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreadFactory.named("orphan-reaper"));

  /**
   * The command that a process belongs to, as its variables show.
   *
   * @param run value of its variable; empty for none
   * @param task value of its variable; empty for none
   * @param attempt value of its variable; empty for none
   */
  record Owner(String run, String task, String attempt) {

    private static final Owner NONE = new Owner("", "", "");

    /** Returns the owner of a process with these variables. */
    static Owner of(Map<String, String> environment) {
      return new Owner(
          environment.getOrDefault("WEIR_RUN", ""),
          environment.getOrDefault("WEIR_TASK", ""),
          environment.getOrDefault("WEIR_ATTEMPT", ""));
    }
  }

  /**
   * Creates a reaper for later commands.
   *
   * @param proc the kernel's process directory
   * @param worker value of {@link ProcessGuard#MARK} of each command
   */
  OrphanReaper(Path proc, String worker) {
    this.proc = proc;
    this.mark = ProcessGuard.MARK + "=" + worker;
  }

  /** Starts periodic scans on a thread of its own. */
  void start() {
    Future<?> unused =
        timer.scheduleWithFixedDelay(this::scan, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** Records that a command is about to start. */
  void commandStarted(Owner owner) {
    running.merge(owner, 1, Integer::sum);
    ended.remove(owner);
  }

  /** Records that a command has ended: its remaining processes are orphans. */
  void commandEnded(Owner owner) {
    if (!owner.equals(Owner.NONE)) {
      ended.add(owner);
    }
    running.computeIfPresent(owner, (same, commands) -> commands > 1 ? commands - 1 : null);
  }

  /** Scans now. Never fails. */
  synchronized void scan() {
    Set<Owner> candidates = new HashSet<>(ended);
    if (candidates.isEmpty()) {
      return;
    }
    Set<Owner> found = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        if (!isMarked(process)) {
          continue;
        }
        long pid = Long.parseLong(process.getFileName().toString());
        // Obtained before the owner is read: a handle includes the start time, so it never kills
        // a later process with this number.
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        Owner owner = owner(process);
        if (handle.isPresent() && candidates.contains(owner) && !running.containsKey(owner)) {
          LOG.info("Killing process {}, which outlived its command: {}", pid, owner);
          handle.get().destroyForcibly();
          found.add(owner);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot scan for processes that commands left running", e);
      return;
    }
    // A killed process may have started another one meanwhile.
    candidates.removeAll(found);
    ended.removeAll(candidates);
  }

  /** Returns whether a process seems to belong to this worker; a cheap check that excludes most. */
  private boolean isMarked(Path process) {
    return environment(process).contains(mark);
  }

  /**
   * Returns the owner of a process; {@code NONE} when it is not of this worker, or not readable.
   */
  private Owner owner(Path process) {
    Map<String, String> own = new HashMap<>();
    boolean marked = false;
    for (String variable : environment(process).split("\0", -1)) {
      int end = variable.indexOf('=');
      marked |= variable.equals(mark);
      if (end > 0) {
        own.put(variable.substring(0, end), variable.substring(end + 1));
      }
    }
    return Owner.of(marked ? own : Map.of());
  }

  /**
   * Returns the variables, separated by NUL; empty when the process has ended or belongs to another
   * user.
   */
  private static String environment(Path process) {
    try {
      return new String(Files.readAllBytes(process.resolve("environ")), UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
