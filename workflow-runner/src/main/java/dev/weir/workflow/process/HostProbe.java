package dev.weir.workflow.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What attempts look at on the machine that they are made on. For any thread.
 *
 * @param kernelKills tells whether a command that was killed was so for want of memory
 * @param disk tells how much room the disk with the sandboxes has
 */
public record HostProbe(OomKillDetector kernelKills, Disk disk) {

  /** With less, a command that failed may have failed for that. */
  private static final long LEAST_BYTES = 1 << 20;

  /** A disk that has so much is full for nobody but whoever wants more. */
  private static final long ROOM_BYTES = 1L << 30;

  /** A disk. */
  public interface Disk {

    /**
     * How many bytes may be written there.
     *
     * @throws IOException when that cannot be told
     */
    long usableBytes() throws IOException;
  }

  /** This machine, with its disk that a directory is on. */
  public static HostProbe here(Path directory) {
    return new HostProbe(
        OomKillDetector.ofThisMachine(), () -> Files.getFileStore(directory).getUsableSpace());
  }

  /** Whether there is next to nothing left of the disk. */
  public boolean isFull() throws IOException {
    return disk.usableBytes() < LEAST_BYTES;
  }

  /** Whether so many bytes have no place on the disk; not when that cannot be told. */
  public boolean isFullFor(long bytes) {
    try {
      return disk.usableBytes() - LEAST_BYTES < bytes;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether the disk has room for others; not when that cannot be told. */
  public boolean hasRoom() {
    try {
      return disk.usableBytes() >= ROOM_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
