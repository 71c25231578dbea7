package dev.weir.hdfs.gather;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that several writers write at once, until it is committed or aborted. Nothing is visible
 * at the target until {@link #commit} has returned; then all of it is.
 *
 * <p>Four atomic calls to the NameNode ensure this: the rename that publishes a region (the first
 * attempt wins), the rename that closes the directory once all regions exist, the {@code concat}
 * that joins them, and the rename to the target. A commit that finds one of them done continues
 * with the next. So concurrent, repeated and killed commits have the same result. Safe for any
 * number of threads and processes.
 */
public final class Gather {
  private static final Logger LOG = LoggerFactory.getLogger(Gather.class);
  private static final int BUFFER = 64 * 1024;

  private final DistributedFileSystem fs;
  private final GatherPaths paths;
  private final Supplier<String> attemptIds;
  private final ExpiredGatherCleaner cleaner;

  Gather(
      DistributedFileSystem fs,
      GatherPaths paths,
      Supplier<String> attemptIds,
      ExpiredGatherCleaner cleaner) {
    this.fs = fs;
    this.paths = paths;
    this.attemptIds = attemptIds;
    this.cleaner = cleaner;
  }

  /** The directory with the regions; writers open the gather by it. */
  public Path path() {
    return paths.gather();
  }

  /** The target file. */
  public Path target() {
    return paths.target();
  }

  /**
   * Starts an attempt to write a region. Several attempts may write the same region.
   *
   * @param region 0 for the first
   * @return a stream to be finished with {@link RegionOutputStream#finish} and then closed
   * @throws GatherException if the gather is removed or complete, or has no such region
   */
  public RegionOutputStream write(int region) throws IOException {
    try {
      GatherManifest manifest = cleaner.manifest(path()).orElseThrow(FileNotFoundException::new);
      GatherPaths.requireRegion(region, manifest.regions());
      FileStatus whole = fs.getFileStatus(GatherPaths.whole(path()));
      Path attempt = paths.attempt(region, attemptIds.get());
      // Unlike create(), this does not recreate the directory of a removed gather.
      FSDataOutputStream out =
          fs.createNonRecursive(
              attempt,
              FsPermission.getFileDefault(),
              EnumSet.of(CreateFlag.CREATE),
              BUFFER,
              whole.getReplication(),
              whole.getBlockSize(),
              null);
      return new RegionOutputStream(this, region, manifest.regionBytes(), attempt, out);
    } catch (FileNotFoundException e) {
      throw isComplete() ? alreadyComplete(e) : noSuchGather(e);
    }
  }

  private GatherException alreadyComplete(IOException cause) {
    return new GatherException(
        Problem.COMPLETE,
        "all regions of " + target() + " are written; nothing is left to write",
        cause);
  }

  /**
   * Writes a whole region.
   *
   * @param content read to its end, not closed
   * @return whether these bytes count, see {@link RegionOutputStream#finish}
   */
  public boolean write(int region, InputStream content) throws IOException {
    try (RegionOutputStream out = write(region)) {
      content.transferTo(out);
      return out.finish();
    }
  }

  /** Makes a finished attempt the region; false if another attempt already is. */
  boolean publish(int region, Path attempt) throws IOException {
    try {
      fs.rename(attempt, GatherPaths.part(path(), region), Rename.NONE);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (FileNotFoundException e) {
      if (isComplete()) {
        return false;
      }
      throw noSuchGather(e);
    }
  }

  /** Whether a commit has found all regions. */
  boolean isComplete() throws IOException {
    return fs.exists(paths.closed()) || committed().isPresent();
  }

  /** The cause of a failed write: that the gather was removed, or else the failure itself. */
  IOException explain(IOException failure) {
    try {
      return fs.exists(path()) ? failure : noSuchGather(failure);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }

  /** Removes an attempt that does not count. */
  void discard(Path attempt) throws IOException {
    fs.delete(attempt, false);
  }

  /**
   * Joins the regions in order and publishes the file. May be repeated and called concurrently;
   * later calls return the result of the first.
   *
   * @throws GatherException if a region is missing, being written or of the wrong size, if the
   *     target exists, or if there is no such gather; the regions stay unchanged
   */
  public CommittedGather commit(CommitOptions options) throws IOException {
    try {
      CommittedGather committed = commitNow(options);
      cleanUp();
      return committed;
    } catch (FileNotFoundException e) {
      return committedBefore(e);
    } catch (FileAlreadyExistsException e) {
      return committed().orElseThrow(() -> targetExists(e));
    }
  }

  private CommittedGather commitNow(CommitOptions options) throws IOException {
    Path closed = paths.closed();
    Optional<GatherManifest> open = cleaner.manifest(path());
    Optional<GatherManifest> manifest = open.isPresent() ? open : cleaner.manifest(closed);
    if (manifest.isEmpty()) {
      return committedBefore(null);
    }
    if (!options.replace() && fs.exists(paths.target())) {
      return committed().orElseThrow(() -> targetExists(null));
    }
    if (open.isPresent()) {
      close(open.get(), options);
    }
    RegionFiles regions = regions(closed);
    // If nothing is joined now, nothing was joined while the regions were listed.
    if (length(GatherPaths.whole(closed)) == 0) {
      join(closed, regions.regionsToJoin(target().toString(), manifest.get(), options.regions()));
    }
    long bytes = length(GatherPaths.whole(closed));
    Rename how = options.replace() ? Rename.OVERWRITE : Rename.NONE;
    fs.rename(GatherPaths.whole(closed), paths.target(), how);
    return new CommittedGather(paths.target(), bytes, false);
  }

  /** Closes the directory to writers if all regions exist. */
  private void close(GatherManifest manifest, CommitOptions options) throws IOException {
    try {
      regions(path()).regionsToJoin(target().toString(), manifest, options.regions());
      fs.rename(path(), paths.closed(), Rename.NONE);
    } catch (FileNotFoundException e) {
      LOG.debug("Another commit has closed {}, or it does not exist any more", path(), e);
    }
  }

  private RegionFiles regions(Path gather) throws IOException {
    RegionFiles regions = new RegionFiles();
    for (FileStatus file : fs.listStatus(gather)) {
      regions.add(file.getPath().getName(), file.getLen());
    }
    return regions;
  }

  private long length(Path file) throws IOException {
    return fs.getFileStatus(file).getLen();
  }

  private void join(Path closed, List<Integer> regions) throws IOException {
    if (regions.isEmpty()) {
      return;
    }
    Path whole = GatherPaths.whole(closed);
    try {
      fs.concat(
          whole,
          regions.stream().map(region -> GatherPaths.part(closed, region)).toArray(Path[]::new));
    } catch (RemoteException e) {
      if (length(whole) > 0) {
        return; // another commit has joined them
      }
      throw e.getClassName().endsWith("SnapshotException") ? inSnapshot(e) : e;
    }
  }

  private GatherException inSnapshot(IOException cause) {
    return new GatherException(
        Problem.IN_SNAPSHOT,
        "a snapshot of "
            + paths.directory()
            + " was made during the gather of "
            + paths.name()
            + ", and HDFS cannot join files that a snapshot holds; delete the snapshot and"
            + " commit again, or abort and write the regions again",
        cause);
  }

  /** Only unused attempts remain. If this fails, a later sweep removes them. */
  private void cleanUp() {
    try {
      fs.delete(paths.closed(), true);
    } catch (IOException e) {
      LOG.warn("{} is committed but {} could not be removed", target(), paths.closed(), e);
    }
    cleaner.sweepQuietly(paths.directory());
  }

  private GatherException targetExists(@Nullable IOException cause) {
    return new GatherException(
        Problem.TARGET_EXISTS,
        paths.target() + " exists; commit again to replace it (--replace), or abort",
        cause);
  }

  /**
   * Removes everything that was written. Active writers fail.
   *
   * @return whether there was anything to remove; false also if the gather is committed, which is
   *     not undone
   */
  public boolean abort() throws IOException {
    boolean isCommitted = committed().isPresent();
    boolean wasOpen = fs.delete(path(), true);
    boolean wasClosed = fs.delete(paths.closed(), true);
    return (wasOpen || wasClosed) && !isCommitted;
  }

  /**
   * The committed file of this gather; empty if it is not committed or the file does not exist any
   * more.
   */
  public Optional<CommittedGather> committed() throws IOException {
    try {
      Optional<GatherManifest> manifest = cleaner.manifestOf(paths.target());
      if (manifest.isEmpty() || !manifest.get().id().equals(paths.id())) {
        return Optional.empty();
      }
      long bytes = fs.getFileStatus(paths.target()).getLen();
      return Optional.of(new CommittedGather(paths.target(), bytes, true));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // it was removed concurrently
    } catch (AccessControlException e) {
      LOG.debug("The user may not read {}", paths.target(), e);
      return Optional.empty();
    }
  }

  private CommittedGather committedBefore(@Nullable IOException cause) throws IOException {
    CommittedGather committed = committed().orElseThrow(() -> noSuchGather(cause));
    cleanUp();
    return committed;
  }

  private GatherException noSuchGather(@Nullable IOException cause) {
    return new GatherException(
        Problem.NO_SUCH_GATHER,
        paths.gather()
            + " is not a gather: it was aborted, has expired, or was committed and is no longer "
            + paths.target()
            + "; begin a new gather",
        cause);
  }
}
