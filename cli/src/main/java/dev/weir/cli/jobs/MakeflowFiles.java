package dev.weir.cli.jobs;

import dev.weir.workflow.model.FileIds;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workflow on this machine and in HDFS. A local file gets the modification time of
 * the file in HDFS when both are equal, so that a local change is detected. Thread-safe.
 */
final class MakeflowFiles {

  private final FileSystem hdfs;
  private final String data;
  private final Path directory;

  /**
   * Locks of inputs that are or were copied, because several rules may read an input at the same
   * time.
   */
  private final Map<String, Object> locks = new ConcurrentHashMap<>();

  /**
   * Creates the files of a workflow.
   *
   * @param data absolute path of their directory in HDFS
   * @param directory their directory on this machine
   */
  MakeflowFiles(FileSystem hdfs, String data, Path directory) {
    this.hdfs = hdfs;
    this.data = data;
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  String path(String id) {
    return FileIds.pathIn(data, id);
  }

  private org.apache.hadoop.fs.Path remote(String id) {
    return new org.apache.hadoop.fs.Path(null, null, path(id));
  }

  /**
   * Ensures that HDFS has a file; copies it from this machine if it is newer there.
   *
   * @throws FileNotFoundException if neither has it
   */
  void provide(String id) throws IOException {
    synchronized (locks.computeIfAbsent(id, name -> new Object())) {
      Path local = directory.resolve(id);
      FileStatus there = statusOrNull(id);
      if (Files.isDirectory(local)) {
        throw new IOException(local + " is a directory: a rule can only read files here");
      }
      if (!Files.exists(local)) {
        if (there == null) {
          throw new FileNotFoundException(
              "neither " + local + " nor " + path(id) + " in HDFS exists");
        }
        return;
      }
      boolean same =
          there != null
              && there.getLen() == Files.size(local)
              && Files.getLastModifiedTime(local).toMillis() <= there.getModificationTime();
      if (!same && isHole(local)) {
        if (there != null) {
          return;
        }
        throw new FileNotFoundException(
            path(id)
                + " is not in HDFS any more, and "
                + local
                + " only stands for it: remove that file, so that its rule runs again");
      }
      if (!same) {
        upload(local, id);
      }
    }
  }

  private static Path mark(Path local) {
    return local.resolveSibling("." + local.getFileName() + ".weir-hole");
  }

  /** Returns whether a local file is one of the sparse files of {@link #fetch} and unmodified. */
  private static boolean isHole(Path local) throws IOException {
    if (!Files.exists(mark(local))) {
      return false;
    }
    byte[] some = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(local)) {
      for (int length = in.read(some); length >= 0; length = in.read(some)) {
        for (int i = 0; i < length; i++) {
          if (some[i] != 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private void upload(Path local, String id) throws IOException {
    org.apache.hadoop.fs.Path target = remote(id);
    org.apache.hadoop.fs.Path temporary = target.suffix("._COPYING_");
    try (OutputStream out = hdfs.create(temporary, true)) {
      Files.copy(local, out);
    }
    hdfs.delete(target, false);
    if (!hdfs.rename(temporary, target)) {
      throw new IOException("HDFS does not rename " + temporary + " to " + target);
    }
  }

  private @Nullable FileStatus statusOrNull(String id) throws IOException {
    try {
      return hdfs.getFileStatus(remote(id));
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /**
   * Copies an output to this machine.
   *
   * @param content whether the content is copied; otherwise a sparse file of the same size is
   *     created
   */
  void fetch(String id, boolean content) throws IOException {
    FileStatus there = hdfs.getFileStatus(remote(id));
    Path local = directory.resolve(id);
    Path parent = local.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path temporary = local.resolveSibling("." + local.getFileName() + ".weir");
    if (content) {
      try (var in = hdfs.open(remote(id))) {
        Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.deleteIfExists(mark(local));
    } else {
      // The mark comes first, so that zeros are never taken for the output of a rule.
      Files.write(mark(local), new byte[0]);
      Files.deleteIfExists(temporary);
      try (RandomAccessFile hole = new RandomAccessFile(temporary.toFile(), "rw")) {
        hole.setLength(there.getLen());
      }
    }
    Files.setLastModifiedTime(temporary, FileTime.fromMillis(there.getModificationTime()));
    Files.move(
        temporary, local, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
