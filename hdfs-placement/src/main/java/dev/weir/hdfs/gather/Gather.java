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
 * A file that many write at once, until it is committed or aborted. Nobody sees anything of it at
 * its target before {@link #commit} has returned, and all of it from then on.
 *
 * <p>What makes that so are four calls that the NameNode carries out as a whole: the rename by
 * which a region is there (the first attempt of a region to come wins), the rename that closes the
 * directory once all are, the {@code concat} that joins them, and the rename to the target. Whoever
 * finds that another has done one of them goes on with the next, so any number of commits, at once
 * or one after the other, or killed in between, end the same. For any thread and any number of
 * processes.
 */
public final class Gather {
  private static final Logger LOG = LoggerFactory.getLogger(Gather.class);
  private static final int BUFFER = 64 * 1024;

  private final DistributedFileSystem fs;
  private final GatherPaths place;
  private final Supplier<String> attempts;
  private final ExpiredGatherCleaner sweeper;

  Gather(DistributedFileSystem fs, GatherPaths place, Supplier<String> attempts, ExpiredGatherCleaner sweeper) {
    this.fs = fs;
    this.place = place;
    this.attempts = attempts;
    this.sweeper = sweeper;
  }

  /** The directory with the regions, by which others find the gather. */
  public Path path() {
    return place.gather();
  }

  /** The file to come. */
  public Path target() {
    return place.target();
  }

  /**
   * Begins to write a region, or an attempt at one that others write too.
   *
   * @param region 0 for the first
   * @return for {@link RegionOutputStream#finish}, then to be closed
   * @throws GatherException when the gather is over, is complete, or has no such region
   */
  public RegionOutputStream write(int region) throws IOException {
    try {
      GatherManifest manifest = sweeper.manifest(path()).orElseThrow(FileNotFoundException::new);
      GatherPaths.requireRegion(region, manifest.regions());
      FileStatus whole = fs.getFileStatus(GatherPaths.whole(path()));
      Path attempt = place.attempt(region, attempts.get());
      // Not create(), which would bring back the directory of a gather that is over.
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
        "all regions of " + target() + " are there; there is none to write",
        cause);
  }

  /**
   * Writes a region to its end.
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

  /** Makes a complete attempt the region; false if another attempt is it already. */
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

  /** Whether all regions were there, of whatever attempts, when a commit looked. */
  boolean isComplete() throws IOException {
    return fs.exists(place.closed()) || committed().isPresent();
  }

  /** The failure of a write: that of the gather if it is over. */
  IOException explain(IOException failure) {
    try {
      return fs.exists(path()) ? failure : gone(failure);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }

  /** Removes an attempt that is not to count. */
  void discard(Path attempt) throws IOException {
    fs.delete(attempt, false);
  }

  /**
   * Joins the regions in their order and lets the file appear. Can be repeated, and called by
   * several at once: it then says what the first one has done.
   *
   * @throws GatherException when a region is missing, being written or of the wrong size, when the
   *     target is there, or when there is no such gather; the regions stay as they are
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
    // After the list: if nothing is joined now, the list has all regions.
    if (length(GatherPaths.whole(closed)) == 0) {
      join(closed, regions.toJoin(target().toString(), manifest.get(), options.regions()));
    }
    long bytes = length(GatherPaths.whole(closed));
    Rename how = options.replace() ? Rename.OVERWRITE : Rename.NONE;
    fs.rename(GatherPaths.whole(closed), place.target(), how);
    return new CommittedGather(place.target(), bytes, false);
  }

  /** Lets nothing in any more, when all is there. */
  private void close(GatherManifest manifest, CommitOptions options) throws IOException {
    try {
      regions(path()).toJoin(target().toString(), manifest, options.regions());
      fs.rename(path(), place.closed(), Rename.NONE);
    } catch (FileNotFoundException e) {
      LOG.debug("Another commit has closed {}, or it is over", path(), e);
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
          whole, regions.stream().map(region -> GatherPaths.part(closed, region)).toArray(Path[]::new));
    } catch (RemoteException e) {
      if (length(whole) > 0) {
        return; // another commit has been quicker
      }
      throw e.getClassName().endsWith("SnapshotException") ? inSnapshot(e) : e;
    }
  }

  private GatherException inSnapshot(IOException cause) {
    return new GatherException(
        Problem.IN_SNAPSHOT,
        "a snapshot of "
            + place.directory()
            + " was made while "
            + place.name()
            + " was being gathered, and HDFS joins no files of snapshots; delete that snapshot and"
            + " commit again, or abort and write the regions anew",
        cause);
  }

  /** What remains are attempts that nobody needs; if it fails, a later sweep does it. */
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
        place.target() + " is there already; commit again to replace it (--replace), or abort",
        cause);
  }

  /**
   * Removes all that was written. A writer that still writes fails.
   *
   * @return whether there was anything; false also when it is committed, which stays so
   */
  public boolean abort() throws IOException {
    boolean isCommitted = committed().isPresent();
    boolean wasOpen = fs.delete(path(), true);
    boolean wasClosed = fs.delete(place.closed(), true);
    return (wasOpen || wasClosed) && !isCommitted;
  }

  /** The file that the gather has become; empty if it has not, or is not there any more. */
  public Optional<CommittedGather> committed() throws IOException {
    try {
      Optional<GatherManifest> manifest = sweeper.manifestOf(place.target());
      if (manifest.isEmpty() || !manifest.get().id().equals(place.id())) {
        return Optional.empty();
      }
      long bytes = fs.getFileStatus(place.target()).getLen();
      return Optional.of(new CommittedGather(place.target(), bytes, true));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // removed just now
    } catch (AccessControlException e) {
      LOG.debug("{} is not this user's", place.target(), e);
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
            + " is no gather: it was aborted, has expired, or was committed and is not "
            + place.target()
            + " any more; begin anew",
        cause);
  }
}
