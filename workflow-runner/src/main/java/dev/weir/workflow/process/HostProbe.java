package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * Observes the machine that an attempt runs on. Thread-safe.
 *
 * @param oomKills counts the kernel's out-of-memory kills
 * @param usableBytes returns how many bytes may be written to the disk with the sandboxes
 */
public record HostProbe(LongSupplier oomKills, CallableRaisingIOE<Long> usableBytes) {
  private static final String OOM_KILLS = "\noom_kill ";

  /** With less space a command may have failed for lack of it. */
  private static final long MIN_BYTES = 1 << 20;

  /** A disk with this much space is full only for a command that needs more. */
  private static final long ROOM_BYTES = 1L << 30;

  /** Returns the probe of this machine, and of the disk of a directory. */
  public static HostProbe here(Path directory) {
    return new HostProbe(
        () -> oomKills(Path.of("/proc/vmstat")),
        () -> Files.getFileStore(directory).getUsableSpace());
  }

  /**
   * Returns how many processes of any container the kernel has killed for lack of memory. Callers
   * compare two counts. Before Linux 4.13, or without Linux, the count is always 0.
   *
   * @param statistics the kernel's file, with a name and a number a line
   */
  public static long oomKills(Path statistics) {
    try {
      String text = "\n" + Files.readString(statistics, US_ASCII);
      int at = text.indexOf(OOM_KILLS);
      return at < 0
          ? 0
          : Long.parseLong(
              text.substring(at + OOM_KILLS.length()).lines().findFirst().orElse("").strip());
    } catch (IOException | NumberFormatException e) {
      // Treated like a kernel without the counter.
      return 0;
    }
  }

  /** Returns whether the disk has practically no space left. */
  public boolean isFull() throws IOException {
    return usableBytes.apply() < MIN_BYTES;
  }

  /**
   * Returns whether this number of bytes does not fit on the disk; false when that cannot be
   * determined.
   */
  public boolean isFullFor(long bytes) {
    return usableBytesOr(Long.MAX_VALUE) - MIN_BYTES < bytes;
  }

  /** Returns the free space of the disk; 0 when that cannot be determined. */
  public long freeBytes() {
    return Math.max(0, usableBytesOr(0));
  }

  /** Returns whether the disk has space for other tasks; false when that cannot be determined. */
  public boolean hasRoom() {
    return usableBytesOr(0) >= ROOM_BYTES;
  }

  private long usableBytesOr(long unknown) {
    try {
      return usableBytes.apply();
    } catch (IOException e) {
      return unknown;
    }
  }
}
