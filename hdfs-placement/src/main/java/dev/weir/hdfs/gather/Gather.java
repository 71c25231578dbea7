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
 * attempt wins), the rename that closes the directory once all regions are there, the {@code
 * concat} that joins them, and the rename to the target. A commit that finds one of them done goes
 * on with the next. So any number of commits, concurrent, repeated or killed midway, have the same
 * result. Safe for any number of threads and processes.
 */
public final class Gather {
  private static final Logger LOG = LoggerFactory.getLogger(Gather.class);
  private static final int BUFFER = 64 * 1024;

  private final DistributedFileSystem fs;
  private final GatherPaths place;
  private final Supplier<String> attempts;
  private final ExpiredGatherCleaner sweeper;

  Gather(
      DistributedFileSystem fs,
      GatherPaths place,
      Supplier<String> attempts,
      ExpiredGatherCleaner sweeper) {
    this.fs = fs;
    this.place = place;
    this.attempts = attempts;
    this.sweeper = sweeper;
  }

  /** The directory with the regions, by which others open the gather. */
  public Path path() {
    return place.gather();
  }

  /** The target file. */
  public Path target() {
    return place.target();
  }

  /**
   * Starts an attempt to write a region. Several attempts may write the same region.
   *
   * @param region 0 for the first
   * @return a stream to be finished with {@link RegionOutputStream#finish} and then closed
   * @throws GatherException if the gather is over or complete, or has no such region
   */
  public RegionOutputStream write(int region) throws IOException {
    try {
      GatherManifest manifest = sweeper.manifest(path()).orElseThrow(FileNotFoundException::new);
      GatherPaths.requireRegion(region, manifest.regions());
      FileStatus whole = fs.getFileStatus(GatherPaths.whole(path()));
      Path attempt = place.attempt(region, attempts.get());
      // Unlike create(), this does not recreate the directory of a gather that is over.
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
      throw isComplete() ? complete(e) : gone(e);
    }
  }

  private GatherException complete(IOException cause) {
    return new GatherException(
        Problem.COMPLETE,
        "all regions of " + target() + " are written; there is nothing left to write",
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
      throw gone(e);
    }
  }

  /** Whether a commit has found all regions, from whatever attempts. */
  boolean isComplete() throws IOException {
    return fs.exists(place.closed()) || committed().isPresent();
  }

  /** The cause of a failed write: that the gather is over, or else the failure itself. */
  IOException explain(IOException failure) {
    try {
      return fs.exists(path()) ? failure : gone(failure);
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
      return committed().orElseThrow(() -> exists(e));
    }
  }

  private CommittedGather commitNow(CommitOptions options) throws IOException {
    Path closed = place.closed();
    Optional<GatherManifest> open = sweeper.manifest(path());
    Optional<GatherManifest> manifest = open.isPresent() ? open : sweeper.manifest(closed);
    if (manifest.isEmpty()) {
      return committedBefore(null);
    }
    if (!options.replace() && fs.exists(place.target())) {
      return committed().orElseThrow(() -> exists(null));
    }
    if (open.isPresent()) {
      close(open.get(), options);
    }
    RegionFiles regions = regions(closed);
    // The regions were listed before, so if nothing is joined now, the list is complete.
    if (length(GatherPaths.whole(closed)) == 0) {
      join(closed, regions.toJoin(target().toString(), manifest.get(), options.regions()));
    }
    long bytes = length(GatherPaths.whole(closed));
    Rename how = options.replace() ? Rename.OVERWRITE : Rename.NONE;
    fs.rename(GatherPaths.whole(closed), place.target(), how);
    return new CommittedGather(place.target(), bytes, false);
  }

  /** Closes the directory to writers once all regions are there. */
  private void close(GatherManifest manifest, CommitOptions options) throws IOException {
    try {
      regions(path()).toJoin(target().toString(), manifest, options.regions());
      fs.rename(path(), place.closed(), Rename.NONE);
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
        return; // another commit was faster
      }
      throw e.getClassName().endsWith("SnapshotException") ? inSnapshot(e) : e;
    }
  }

  private GatherException inSnapshot(IOException cause) {
    return new GatherException(
        Problem.IN_SNAPSHOT,
        "a snapshot of "
            + place.directory()
            + " was made during the gather of "
            + place.name()
            + ", and HDFS cannot join files that a snapshot holds; delete the snapshot and"
            + " commit again, or abort and write the regions again",
        cause);
  }

  /** Only unused attempts remain. If this fails, a later sweep removes them. */
  private void cleanUp() {
    try {
      fs.delete(place.closed(), true);
    } catch (IOException e) {
      LOG.warn("{} is committed but {} could not be removed", target(), place.closed(), e);
    }
    sweeper.sweepQuietly(place.directory());
  }

  private GatherException exists(@Nullable IOException cause) {
    return new GatherException(
        Problem.TARGET_EXISTS,
        place.target() + " exists; commit again to replace it (--replace), or abort",
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
    boolean wasClosed = fs.delete(place.closed(), true);
    return (wasOpen || wasClosed) && !isCommitted;
  }

  /**
   * The committed file of this gather; empty if it is not committed or the file does not exist any
   * more.
   */
  public Optional<CommittedGather> committed() throws IOException {
    try {
      Optional<GatherManifest> manifest = sweeper.manifestOf(place.target());
      if (manifest.isEmpty() || !manifest.get().id().equals(place.id())) {
        return Optional.empty();
      }
      long bytes = fs.getFileStatus(place.target()).getLen();
      return Optional.of(new CommittedGather(place.target(), bytes, true));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // it was removed concurrently
    } catch (AccessControlException e) {
      LOG.debug("The user may not read {}", place.target(), e);
      return Optional.empty();
    }
  }

  private CommittedGather committedBefore(@Nullable IOException cause) throws IOException {
    CommittedGather committed = committed().orElseThrow(() -> gone(cause));
    cleanUp();
    return committed;
  }

  private GatherException gone(@Nullable IOException cause) {
    return new GatherException(
        Problem.NO_SUCH_GATHER,
        place.gather()
            + " is not a gather: it was aborted, has expired, or was committed and is no longer "
            + place.target()
            + "; begin a new gather",
        cause);
  }
}
