package dev.weir.service.runs;

import dev.weir.service.access.Callers;
import dev.weir.service.locate.FilePath;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import dev.weir.workflow.provenance.Lineage.FileNow;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is in HDFS, as its users may know it. Nothing is kept from one request to the next. */
final class FilesNow {
  private static final Logger LOG = LoggerFactory.getLogger(FilesNow.class);

  private final Callers callers;

  FilesNow(Callers callers) {
    this.callers = callers;
  }

  /**
   * A file that the user may read.
   *
   * @return no file when there is none, as far as the user may know
   * @throws ProblemException 403 when he may not read it, 400 when it is a directory
   * @throws IOException when HDFS cannot be asked
   */
  FileNow look(String user, FilePath path) throws IOException {
    try {
      return callers.ask(user, path.authority(), files -> look(files, new Path(path.path())));
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      return FileNow.NONE;
    } catch (AccessControlException e) {
      throw new ProblemException(
          Problem.forbidden("path", user + " may not read " + path.text() + " in HDFS"), e);
    }
  }

  private static FileNow look(FileSystem files, Path path) throws IOException {
    FileStatus status = files.getFileStatus(path);
    if (status.isDirectory()) {
      throw new ProblemException(
          Problem.invalid("path", path + " is a directory; write one of the files in it"));
    }
    files.access(path, FsAction.READ);
    return new FileNow(
        true,
        status.getLen(),
        Instant.ofEpochMilli(status.getModificationTime()),
        checksum(files, path));
  }

  /** DataNodes tell it; it is worth having and no more. */
  private static @Nullable String checksum(FileSystem files, Path path) {
    try {
      FileChecksum checksum = files.getFileChecksum(path);
      return checksum instanceof CompositeCrcFileChecksum
              && checksum.getAlgorithmName().endsWith("CRC32C")
          ? HexFormat.of().formatHex(checksum.getBytes())
          : null;
    } catch (IOException | RuntimeException e) {
      LOG.info("The checksum of {} cannot be told: {}", path, e.toString());
      return null;
    }
  }

  /** Whether the user may read a file that is there. */
  boolean mayRead(String user, String path) throws IOException {
    try {
      return callers.ask(
          user,
          files -> {
            files.access(new Path(path), FsAction.READ);
            return true;
          });
    } catch (FileNotFoundException | ParentNotDirectoryException | AccessControlException e) {
      return false;
    }
  }

  /**
   * Why the user may not write into a directory, or make it; empty when he may.
   *
   * @throws IOException when HDFS cannot be asked
   */
  Optional<String> refusal(String user, String directory) throws IOException {
    Path path = new Path(directory);
    while (true) {
      Path asked = path;
      try {
        return callers.ask(
            user,
            files -> {
              files.access(asked, FsAction.WRITE);
              return Optional.empty();
            });
      } catch (AccessControlException e) {
        return Optional.of(user + " may not write " + asked);
      } catch (FileNotFoundException | ParentNotDirectoryException e) {
        Path parent = path.getParent();
        if (parent == null) {
          return Optional.of(path + " is not there");
        }
        path = parent;
      }
    }
  }
}
