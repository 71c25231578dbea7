package dev.weir.service.runs;

import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.locate.files.FilePath;
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

/** The current files in HDFS, as users may see them. Nothing is cached between requests. */
final class CurrentFiles {
  private static final Logger LOG = LoggerFactory.getLogger(CurrentFiles.class);

  private final CallerFileSystems callers;

  CurrentFiles(CallerFileSystems callers) {
    this.callers = callers;
  }

  /**
   * A file.
   *
   * @param owner its owner; empty if there is no file
   * @param now its metadata
   */
  record CurrentFile(String owner, FileNow now) {
    static final CurrentFile NONE = new CurrentFile("", FileNow.NONE);
  }

  /**
   * Returns a file that the user may read, with its checksum.
   *
   * @return {@link CurrentFile#NONE} if there is none, or if the user may not see it
   * @throws ProblemException 403 if the user may not read it, 400 if it is a directory
   */
  CurrentFile require(String user, FilePath path) throws IOException {
    try {
      return callers.call(
          user,
          path.authority(),
          files -> {
            Path hdfsPath = new Path(path.path());
            FileStatus status = files.getFileStatus(hdfsPath);
            if (status.isDirectory()) {
              throw ProblemException.invalid(
                  "path", hdfsPath + " is a directory; write one of the files in it");
            }
            files.access(hdfsPath, FsAction.READ);
            return file(status, checksum(files, hdfsPath));
          });
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      return CurrentFile.NONE;
    } catch (AccessControlException e) {
      throw ProblemException.forbidden("path", user + " may not read " + path.text() + " in HDFS")
          .because(e);
    }
  }

  private static CurrentFile file(FileStatus status, @Nullable String checksum) {
    return new CurrentFile(
        status.getOwner(),
        new FileNow(
            true, status.getLen(), Instant.ofEpochMilli(status.getModificationTime()), checksum));
  }

  /**
   * Returns a file without its checksum.
   *
   * @return empty if there is none that the user may read
   */
  Optional<CurrentFile> findReadable(String user, String path) throws IOException {
    try {
      return callers.call(
          user,
          files -> {
            Path hdfsPath = new Path(path);
            FileStatus status = files.getFileStatus(hdfsPath);
            if (status.isDirectory()) {
              return Optional.empty();
            }
            files.access(hdfsPath, FsAction.READ);
            return Optional.of(file(status, null));
          });
    } catch (FileNotFoundException | ParentNotDirectoryException | AccessControlException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the checksum of a file.
   *
   * @return empty if it is not available
   */
  Optional<String> checksum(String user, String path) throws IOException {
    return callers.call(user, files -> Optional.ofNullable(checksum(files, new Path(path))));
  }

  /**
   * Asks DataNodes for the checksum. A failure is not an error, because the checksum is optional.
   */
  private static @Nullable String checksum(FileSystem files, Path path) {
    try {
      FileChecksum checksum = files.getFileChecksum(path);
      return checksum instanceof CompositeCrcFileChecksum
              && checksum.getAlgorithmName().endsWith("CRC32C")
          ? HexFormat.of().formatHex(checksum.getBytes())
          : null;
    } catch (IOException | RuntimeException e) {
      LOG.info("The checksum of {} is not available: {}", path, e.toString());
      return null;
    }
  }

  /** Returns why the user may not write into or create a directory; empty if the user may. */
  Optional<String> refusal(String user, String directory) throws IOException {
    Path path = new Path(directory);
    while (true) {
      Path hdfsPath = path;
      try {
        return callers.call(
            user,
            files -> {
              files.access(hdfsPath, FsAction.WRITE);
              return Optional.empty();
            });
      } catch (AccessControlException e) {
        return Optional.of(user + " may not write " + hdfsPath);
      } catch (FileNotFoundException | ParentNotDirectoryException e) {
        Path parent = path.getParent();
        if (parent == null) {
          return Optional.of(path + " does not exist");
        }
        path = parent;
      }
    }
  }
}
