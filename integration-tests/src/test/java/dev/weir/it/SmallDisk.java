package dev.weir.it;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small disk: a tmpfs that is mounted at a directory until closed. */
public final class SmallDisk implements AutoCloseable {
  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /**
   * Mounts a disk; skips the test if this user may not mount.
   *
   * @param directory the mount point, created if missing
   * @param mebibytes its size
   */
  public static SmallDisk at(Path directory, int mebibytes)
      throws IOException, InterruptedException {
    assumeThat(System.getProperty("user.name")).as("mounting needs root").isEqualTo("root");
    Files.createDirectories(directory);
    String options = "mode=755,size=" + mebibytes + "m";
    assumeThat(run("mount", "-t", "tmpfs", "-o", options, "weir-it", directory.toString()))
        .as("exit code of mount")
        .isZero();
    return new SmallDisk(directory);
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /** Unmounts the disk, lazily if it is in use. */
  @Override
  public void close() throws IOException {
    try {
      int code = run("umount", "--lazy", directory.toString());
      if (code != 0) {
        throw new IOException("Cannot unmount " + directory + ": umount ended with " + code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted at umount").initCause(e);
    }
  }
}
