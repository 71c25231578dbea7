package dev.weir.hdfs.gather;

import dev.weir.hdfs.FileDefaults;
import dev.weir.hdfs.gather.GatherException.Problem;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Begins gathers and finds those that others have begun. A gather is named by the path of its
 * directory, which whoever begins it hands to the writers, in whatever process they are:
 *
 * <pre>{@code
 * Gathers gathers = Gathers.on(fileSystem);
 * Gather gather = gathers.begin(target, GatherSpec.ofRegions(64 << 20).withRegions(8));
 * // each writer, anywhere:
 * try (RegionOutput out = gathers.open(gather.path()).write(region)) {
 *   out.write(bytes);
 *   out.finish();
 * }
 * gather.commit(CommitOptions.PLAIN);
 * }</pre>
 *
 * <p>For any thread.
 */
public final class GatherClient {
  private static final int BUFFER = 4096;

  private final DistributedFileSystem fs;
  private final Clock clock;
  private final RandomGenerator random;

  GatherClient(DistributedFileSystem fs, Clock clock, RandomGenerator random) {
    this.fs = fs;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Gathers of a file system, as its user.
   *
   * @throws GatherException when it is not HDFS
   */
  public static GatherClient on(FileSystem fs) throws GatherException {
    if (fs instanceof DistributedFileSystem hdfs) {
      return new GatherClient(hdfs, Clock.systemUTC(), new SecureRandom());
    }
    throw new GatherException(
        Problem.NOT_HDFS,
        fs.getUri()
            + " is no HDFS ("
            + fs.getClass().getSimpleName()
            + "); only HDFS joins the regions of a gather: gather on HDFS and copy the file");
  }

  /**
   * Begins to gather a file: makes a hidden directory beside it, readable and writable as every
   * directory that this user makes there. Removes what expired gathers of the same directory left.
   *
   * @param target the file to come; may be there already, see {@link CommitOptions#replace}
   * @throws GatherException when no file can be gathered there
   */
  public Gather begin(Path target, GatherSpec spec) throws IOException {
    Path absolute = fs.makeQualified(target);
    GatherPaths place = GatherPaths.of(absolute, hex());
    GatherManifest manifest =
        new GatherManifest(
            place.id(),
            spec.regionBytes(),
            spec.regions() == GatherSpec.UNKNOWN
                ? OptionalInt.empty()
                : OptionalInt.of(spec.regions()),
            clock.instant().plus(spec.lifetime()));
    Gather gather = new Gather(fs, place, this::hex, sweeper());
    try {
      makeWhole(place, spec);
      refuseEncrypted(place);
      fs.setXAttr(GatherPaths.whole(place.gather()), GatherManifest.ATTRIBUTE, manifest.toJson());
    } catch (IOException e) {
      undo(gather, e);
      throw e;
    }
    sweeper().sweepQuietly(place.directory());
    return gather;
  }

  private void makeWhole(GatherPaths place, GatherSpec spec) throws IOException {
    short replication =
        spec.replication() == GatherSpec.STOCK
            ? fs.getDefaultReplication(place.target())
            : (short) spec.replication();
    // Made by itself: a directory that create() makes would be open to all that its parent is.
    fs.mkdirs(place.gather());
    long blockSize = blockSize(place.target(), spec);
    fs.create(GatherPaths.whole(place.gather()), false, BUFFER, replication, blockSize).close();
  }

  /** One of which a region is a whole number, so that the blocks of the file end with regions. */
  private long blockSize(Path target, GatherSpec spec) {
    if (spec.blockSize() != GatherSpec.STOCK) {
      return spec.blockSize();
    }
    long stock = fs.getDefaultBlockSize(target);
    Hint regions = Hint.builder().placement(new Placement.Scatter(spec.regionBytes())).build();
    return FileDefaults.of(fs.getConf()).blockSize(regions, stock).orElse(stock);
  }

  private void refuseEncrypted(GatherPaths place) throws IOException {
    FileStatus whole = fs.getFileStatus(GatherPaths.whole(place.gather()));
    if (whole.isEncrypted()) {
      throw new GatherException(
          Problem.ENCRYPTED,
          place.target()
              + " would be in an encryption zone, where HDFS joins no files; gather it elsewhere");
    }
  }

  private static void undo(Gather gather, IOException failure) {
    try {
      gather.abort();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * A gather that somebody has begun. Asks nobody whether it is there.
   *
   * @param path of the gather's directory, {@link Gather#path}
   * @throws GatherException when the path cannot be one
   */
  public Gather open(Path path) throws GatherException {
    Path absolute = fs.makeQualified(path);
    GatherPaths place =
        GatherPaths.parse(absolute)
            .orElseThrow(
                () ->
                    new GatherException(
                        Problem.WRONG_USAGE,
                        path + " names no gather; write the path that its begin has given"));
    return new Gather(fs, place, this::hex, sweeper());
  }

  /**
   * Removes the gathers for files of a directory that have expired, and what killed writers and
   * commits have left of others.
   *
   * @return how many
   */
  public int sweep(Path directory) throws IOException {
    return sweeper().sweep(fs.makeQualified(directory));
  }

  private ExpiredGatherCleaner sweeper() {
    return new ExpiredGatherCleaner(fs, clock);
  }

  private String hex() {
    return HexFormat.of().toHexDigits(random.nextLong());
  }
}
