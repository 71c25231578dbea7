package dev.weir.it.run;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A disk that is soon full: memory that is mounted at a directory until this is closed. */
final class SmallDisk implements AutoCloseable {
  private final Path directory;
  private final Path folder;

  private SmallDisk(Path directory, Path folder) {
    this.directory = directory;
    this.folder = folder;
  }

  /**
   * Mounts one; the test is skipped where that is not allowed.
   *
   * @param directory where; made when it is not there
   * @param mebibytes its size
   * @param folder for files of what {@code mount} prints
   */
  static SmallDisk at(Path directory, int mebibytes, Path folder)
      throws IOException, InterruptedException {
    assumeThat(System.getProperty("user.name")).as("mounting needs root").isEqualTo("root");
    Files.createDirectories(directory);
    String options = "mode=755,size=" + mebibytes + "m";
    List<String> mount =
        List.of("mount", "-t", "tmpfs", "-o", options, "weir-it", directory.toString());
    assumeThat(Shell.run(mount, Map.of(), folder).code()).as("exit code of mount").isZero();
    return new SmallDisk(directory, folder);
  }

  /** Unmounts it, now or when nobody is in there any more. */
  @Override
  public void close() throws IOException {
    List<String> unmount = List.of("umount", "--lazy", directory.toString());
    try {
      Shell.Ran ran = Shell.run(unmount, Map.of(), folder);
      if (ran.code() != 0) {
        throw new IOException("Cannot unmount " + directory + ": " + ran);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted at umount").initCause(e);
    }
  }
}
