package dev.weir.hdfs.gather;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes directories of gathers that will not be committed. Thread-safe. */
final class ExpiredGatherCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredGatherCleaner.class);

  private final DistributedFileSystem fs;
  private final Clock clock;

  ExpiredGatherCleaner(DistributedFileSystem fs, Clock clock) {
    this.fs = fs;
    this.clock = clock;
  }

  /** Like {@link #sweep}, but failures are only logged. */
  void sweepQuietly(Path directory) {
    try {
      sweep(directory);
    } catch (IOException e) {
      LOG.debug("Cannot remove expired gathers in {}", directory, e);
    }
  }

  /**
   * Removes the expired gathers of a directory that this user may remove.
   *
   * @return the number of gathers removed
   */
  int sweep(Path directory) throws IOException {
    int removed = 0;
    RemoteIterator<FileStatus> entries = fs.listStatusIterator(directory);
    while (entries.hasNext()) {
      FileStatus entry = entries.next();
      // HDFS lists names in order, so those with a dot are at the beginning of a large directory.
      if (entry.getPath().getName().charAt(0) > '.') {
        break;
      }
      boolean isGather = entry.isDirectory() && GatherPaths.parse(entry.getPath()).isPresent();
      if (isGather && sweep(entry)) {
        removed++;
      }
    }
    return removed;
  }

  private boolean sweep(FileStatus directory) {
    try {
      if (isExpired(directory) && fs.delete(directory.getPath(), true)) {
        LOG.info("Removed {}, a gather that has expired or was committed", directory.getPath());
        return true;
      }
    } catch (IOException e) {
      LOG.debug("{} stays", directory.getPath(), e);
    }
    return false;
  }

  private boolean isExpired(FileStatus directory) throws IOException {
    Instant now = clock.instant();
    Optional<GatherManifest> manifest = manifest(directory.getPath());
    if (manifest.isPresent()) {
      return now.isAfter(manifest.get().expires());
    }
    // A killed begin has left no manifest; a killed commit has left the directory.
    Instant changed = Instant.ofEpochMilli(directory.getModificationTime());
    return now.isAfter(changed.plus(GatherSpec.DEFAULT_LIFETIME))
        && Arrays.stream(fs.listStatus(directory.getPath()))
            .allMatch(file -> file.isFile() && GatherPaths.isGatherFile(file.getPath().getName()));
  }

  /** The metadata of a gather's directory; empty if it does not exist. */
  Optional<GatherManifest> manifest(Path gather) throws IOException {
    return manifestOf(GatherPaths.whole(gather));
  }

  /** The metadata in a file that a gather has made; empty if there is no such file. */
  Optional<GatherManifest> manifestOf(Path file) throws IOException {
    try {
      // Gets all attributes, because asking for one that does not exist is an error.
      byte[] json = fs.getXAttrs(file).get(GatherManifest.ATTRIBUTE);
      return json == null
          ? Optional.empty()
          : Optional.of(GatherManifest.fromJson(json, file.toString()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }
}
