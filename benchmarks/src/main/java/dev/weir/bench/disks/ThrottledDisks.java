package dev.weir.bench.disks;

import dev.weir.cluster.plan.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Disks of the same rate. What their processes have read is dropped from the page cache twice a
 * second, so that each read comes from a disk. The kernel limits reads and writes apart, so the
 * limit of reads is lowered by what was just written. Removed when closed and when the JVM ends.
 * Thread-safe.
 */
public final class ThrottledDisks implements AutoCloseable {
  /** The programs that disks need. */
  public static final List<String> PROGRAMS = LoopDisk.PROGRAMS;

  private static final String LIMITS = "blkio";
  private static final String MEMORY = "memory";
  private static final long PERIOD_MILLIS = 500;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final int REMOVALS = 50;

  private final Map<String, LoopDisk> disks = new LinkedHashMap<>();
  private final Map<String, DiskCounters> before = new HashMap<>();
  private final Path memory;
  private final Set<Path> memoryBefore;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "disks");
            thread.setDaemon(true);
            return thread;
          });
  private final Thread hook = new Thread(this::closeAtEnd, "close-disks");
  private @Nullable DiskRate rate;
  private @Nullable IOException failure;
  private boolean closed;

  private ThrottledDisks(Path directory, ControlGroups groups) throws IOException {
    memoryBefore = groups.rootAndOwn(MEMORY);
    // The same name for the same directory, so that what a killed process left is found.
    memory =
        memoryBefore
            .iterator()
            .next()
            .resolve("weir-bench-" + Integer.toHexString(directory.toString().hashCode()));
  }

  /** Returns why this process cannot have such disks, with the remedy; empty if it can. */
  public static Optional<String> lack() throws IOException {
    return lack(ControlGroups.ofThisProcess(), System.getProperty("user.name"));
  }

  static Optional<String> lack(ControlGroups groups, String user) {
    if (!user.equals("root")) {
      return Optional.of("Loop devices and their limits need root: run as root");
    }
    for (Map.Entry<String, String> needed :
        Map.of(LIMITS, LoopDisk.LIMIT_FILE, MEMORY, "memory.force_empty").entrySet()) {
      Optional<Path> root = groups.root(needed.getKey());
      if (root.isEmpty() || !Files.exists(root.get().resolve(needed.getValue()))) {
        return Optional.of(
            "The limits of disks need the controllers blkio and memory of control groups version"
                + " 1, and "
                + needed.getKey()
                + " has no "
                + needed.getValue()
                + ": mount it (mount -t cgroup -o blkio none DIR), or boot with"
                + " systemd.unified_cgroup_hierarchy=0");
      }
    }
    return Optional.empty();
  }

  /**
   * Creates disks without limits.
   *
   * @param directory has their images and mount points; what a killed process left there is removed
   * @param names of the disks
   * @param bytes the size of each
   */
  public static ThrottledDisks create(Path directory, Collection<String> names, long bytes)
      throws IOException {
    Path real = Files.createDirectories(directory).toRealPath();
    LoopDisk.removeLeftovers(real);
    ControlGroups groups = ControlGroups.ofThisProcess();
    ThrottledDisks made = new ThrottledDisks(real, groups);
    Runtime.getRuntime().addShutdownHook(made.hook);
    try {
      made.removeGroup();
      Files.createDirectory(made.memory);
      for (String name : names) {
        made.add(
            name,
            LoopDisk.create(
                real.resolve(name + ".img"), real.resolve(name), bytes, groups.rootAndOwn(LIMITS)));
      }
    } catch (IOException | RuntimeException e) {
      try {
        made.close();
      } catch (IOException other) {
        e.addSuppressed(other);
      }
      throw e;
    }
    ScheduledFuture<?> unused =
        made.timer.scheduleWithFixedDelay(
            made::tick, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return made;
  }

  private synchronized void add(String name, LoopDisk disk) throws IOException {
    disks.put(name, disk);
    before.put(name, disk.counters());
  }

  /** Returns the directory on a disk. */
  public synchronized Path directory(String name) {
    LoopDisk disk = disks.get(name);
    if (disk == null) {
      throw new IllegalArgumentException("No disk " + name);
    }
    return disk.directory();
  }

  /** Takes the pages that processes read from now on out of the page cache. */
  public void uncached(Collection<Long> processes) throws IOException {
    for (long process : processes) {
      ControlGroups.write(memory.resolve("cgroup.procs"), Long.toString(process));
    }
  }

  /** Limits the rate of each disk, after all written data are on it. */
  public void limit(DiskRate limit) throws IOException {
    List<String> sync = new ArrayList<>(List.of("sync", "--file-system"));
    synchronized (this) {
      disks.values().forEach(disk -> sync.add(disk.directory().toString()));
    }
    Commands.run(sync.toArray(String[]::new));
    synchronized (this) {
      for (LoopDisk disk : disks.values()) {
        disk.limitWrites(limit);
        disk.limitReads(limit);
      }
      rate = limit;
    }
  }

  /** Removes the limits. */
  public synchronized void unlimit() throws IOException {
    rate = null;
    for (LoopDisk disk : disks.values()) {
      disk.unlimit();
    }
  }

  /**
   * Returns what all disks have done.
   *
   * @throws IOException if the page cache or the limits could not be kept since the last call
   */
  public synchronized DiskCounters counters() throws IOException {
    if (failure != null) {
      IOException last = failure;
      failure = null;
      throw new IOException("The disks were not limited as they should be", last);
    }
    DiskCounters sum = DiskCounters.NONE;
    for (LoopDisk disk : disks.values()) {
      sum = sum.plus(disk.counters());
    }
    return sum;
  }

  /** Keeps the page cache empty and the limits right. An exception would stop the timer. */
  private synchronized void tick() {
    if (closed) {
      return;
    }
    try {
      ControlGroups.write(memory.resolve("memory.force_empty"), "0");
      for (Map.Entry<String, LoopDisk> entry : disks.entrySet()) {
        DiskCounters now = entry.getValue().counters();
        DiskCounters last = before.put(entry.getKey(), now);
        if (rate != null && last != null) {
          DiskRate left = rate.without(now.since(last), PERIOD_MILLIS / MILLIS_PER_SECOND);
          entry.getValue().limitReads(left);
        }
      }
    } catch (IOException | RuntimeException e) {
      failure = e instanceof IOException io ? io : new IOException(e);
    }
  }

  private void closeAtEnd() {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      System.err.println("weir: " + e.getMessage());
    }
  }

  /** Removes devices, mounts and the control group. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    timer.shutdownNow();
    if (Thread.currentThread() != hook) {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is ending; the hook finds the disks closed.
      }
    }
    IOException first = null;
    for (LoopDisk disk : disks.values()) {
      try {
        disk.close();
      } catch (IOException e) {
        first = e;
      }
    }
    try {
      removeGroup();
    } catch (IOException e) {
      first = e;
    }
    if (first != null) {
      throw first;
    }
  }

  /** Removes the group. Its processes may still be ending, and those that stay are moved back. */
  private void removeGroup() throws IOException {
    for (int i = 0; Files.exists(memory); i++) {
      try {
        Files.delete(memory);
      } catch (IOException e) {
        if (i == REMOVALS) {
          throw new IOException("Cannot remove the control group " + memory, e);
        }
        moveBack();
        try {
          TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
        } catch (InterruptedException interrupt) {
          Thread.currentThread().interrupt();
          throw new IOException("Interrupted while removing " + memory, interrupt);
        }
      }
    }
  }

  private void moveBack() throws IOException {
    Path target = List.copyOf(memoryBefore).get(memoryBefore.size() - 1);
    for (String process : Files.readAllLines(memory.resolve("cgroup.procs"))) {
      try {
        ControlGroups.write(target.resolve("cgroup.procs"), process);
      } catch (IOException e) {
        // It has ended, or it is a zombie; the removal is tried again.
      }
    }
  }
}
