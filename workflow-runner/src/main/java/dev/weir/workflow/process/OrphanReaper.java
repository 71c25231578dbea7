package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * Kills what commands that are over have left running outside of their process groups, such as
 * daemons, which nothing else ends before the worker does. They are known by the variables that
 * each command has and its processes inherit; one that clears them is not found. Thread-safe.
 */
final class OrphanReaper implements AutoCloseable {

  /** A look costs a few milliseconds. */
  private static final long PERIOD_SECONDS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(OrphanReaper.class);

  private final Path proc;
  private final String mark;

  /** How many commands each has at the moment. */
  private final Map<Owner, Integer> running = new ConcurrentHashMap<>();

  /** Those of which a look has not shown yet that nothing is left. */
  private final Set<Owner> ended = ConcurrentHashMap.newKeySet();

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "strays");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * A command, as its processes tell it.
   *
   * @param run its variable of that name; empty for none
   * @param task the same
   * @param attempt the same
   */
  record Owner(String run, String task, String attempt) {

    private static final Owner NOBODY = new Owner("", "", "");

    /** Whose a process with these variables is. */
    static Owner of(Map<String, String> environment) {
      return new Owner(
          environment.getOrDefault("WEIR_RUN", ""),
          environment.getOrDefault("WEIR_TASK", ""),
          environment.getOrDefault("WEIR_ATTEMPT", ""));
    }
  }

  /**
   * Of commands that are still to come.
   *
   * @param proc where the kernel tells of processes
   * @param worker what each command has as {@link ProcessGuard#MARK}
   */
  OrphanReaper(Path proc, String worker) {
    this.proc = proc;
    this.mark = ProcessGuard.MARK + "=" + worker;
  }

  /** Looks now and then, on a thread of its own. */
  void start() {
    Future<?> unused =
        timer.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  /** A command is about to begin. */
  void began(Owner owner) {
    running.merge(owner, 1, Integer::sum);
    ended.remove(owner);
  }

  /** It is over: what is left of it is a stray. */
  void over(Owner owner) {
    if (!owner.equals(Owner.NOBODY)) {
      ended.add(owner);
    }
    running.computeIfPresent(owner, (same, commands) -> commands > 1 ? commands - 1 : null);
  }

  /** Looks now. Never fails. */
  synchronized void look() {
    Set<Owner> over = new HashSet<>(ended);
    if (over.isEmpty()) {
      return;
    }
    Set<Owner> found = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        if (!isMarked(process)) {
          continue;
        }
        long pid = Long.parseLong(process.getFileName().toString());
        // Before its owner is read: it knows when it began, and kills no later one of that number.
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        Owner owner = owner(process);
        if (handle.isPresent() && over.contains(owner) && !running.containsKey(owner)) {
          LOG.info("Process {} has outlived its command and is killed: {}", pid, owner);
          handle.get().destroyForcibly();
          found.add(owner);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot look for what commands have left running", e);
      return;
    }
    // What is killed may have started something meanwhile.
    over.removeAll(found);
    ended.removeAll(over);
  }

  /** Whether a process seems to be of this worker; most are not, and this is soon seen. */
  private boolean isMarked(Path process) {
    return environment(process).contains(mark);
  }

  /** Whose a process is; nobody's when it is not of this worker, or not to be looked at. */
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

  /** Its variables, with zeros between them; empty when it has ended, or is somebody else's. */
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
