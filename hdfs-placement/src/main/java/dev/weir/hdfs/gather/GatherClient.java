package dev.weir.hdfs.gather;

import dev.weir.hdfs.CreateParameterResolver;
import dev.weir.hdfs.gather.GatherException.Problem;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Begins and opens gathers. The path of its directory identifies a gather to writers in other
 * processes:
 *
 * <pre>{@code
 * GatherClient gathers = GatherClient.on(fileSystem);
 * Gather gather = gathers.begin(target, GatherSpec.ofRegions(64 << 20).withRegions(8));
 * // each writer, anywhere:
 * try (RegionOutputStream out = gathers.open(gather.path()).write(region)) {
 *   out.write(bytes);
 *   out.finish();
 * }
 * gather.commit(CommitOptions.PLAIN);
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class GatherClient {
  private static final int BUFFER = 4096;

  private final DistributedFileSystem fs;
  private final Clock clock;
  private final Random random;

  GatherClient(DistributedFileSystem fs, Clock clock, Random random) {
    this.fs = fs;
    this.clock = clock;
    this.random = random;
  }

  /**
   * A client for a file system, as its user.
   *
   * @throws GatherException if it is not HDFS
   */
  public static GatherClient on(FileSystem fs) throws GatherException {
    if (fs instanceof DistributedFileSystem hdfs) {
      return new GatherClient(hdfs, Clock.systemUTC(), new SecureRandom());
    }
    throw new GatherException(
        Problem.NOT_HDFS,
        fs.getUri()
            + " is not HDFS ("
            + fs.getClass().getSimpleName()
            + "); only HDFS can join the regions of a gather: gather on HDFS and copy the file");
  }

  /**
   * Begins a gather: creates a hidden directory beside the target, with the permissions of any
   * directory that this user creates there. Removes expired gathers of the same directory.
   *
   * @param target the file to write; it may exist, see {@link CommitOptions#replace}
   * @throws GatherException if no file can be gathered there
   */
  public Gather begin(Path target, GatherSpec spec) throws IOException {
    Path absolute = fs.makeQualified(target);
    GatherPaths paths = GatherPaths.of(absolute, randomHex());
    GatherManifest manifest =
        new GatherManifest(
            paths.id(),
            spec.regionBytes(),
            spec.regions() == GatherSpec.UNKNOWN
                ? OptionalInt.empty()
                : OptionalInt.of(spec.regions()),
            clock.instant().plus(spec.lifetime()));
    Gather gather = new Gather(fs, paths, this::randomHex, cleaner());
    try {
      createWholeFile(paths, spec);
      refuseEncrypted(paths);
      fs.setXAttr(GatherPaths.whole(paths.gather()), GatherManifest.ATTRIBUTE, manifest.toJson());
    } catch (IOException e) {
      undo(gather, e);
      throw e;
    }
    cleaner().sweepQuietly(paths.directory());
    return gather;
  }

  private void createWholeFile(GatherPaths paths, GatherSpec spec) throws IOException {
    short replication =
        spec.replication() == GatherSpec.STOCK
            ? fs.getDefaultReplication(paths.target())
            : (short) spec.replication();
    // A separate call, because a directory that create() makes implicitly would get its parent's
    // permissions.
    fs.mkdirs(paths.gather());
    long blockSize = blockSize(paths.target(), spec);
    fs.create(GatherPaths.whole(paths.gather()), false, BUFFER, replication, blockSize).close();
  }

  /** A block size that divides a region, so that blocks end where regions end. */
  private long blockSize(Path target, GatherSpec spec) {
    if (spec.blockSize() != GatherSpec.STOCK) {
      return spec.blockSize();
    }
    long stock = fs.getDefaultBlockSize(target);
    Hint regions = Hint.builder().placement(new Placement.Scatter(spec.regionBytes())).build();
    return CreateParameterResolver.of(fs.getConf()).blockSize(regions, stock).orElse(stock);
  }

  private void refuseEncrypted(GatherPaths paths) throws IOException {
    FileStatus whole = fs.getFileStatus(GatherPaths.whole(paths.gather()));
    if (whole.isEncrypted()) {
      throw new GatherException(
          Problem.ENCRYPTED,
          paths.target()
              + " would be in an encryption zone, where HDFS cannot join files; gather it"
              + " elsewhere");
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
   * Opens a gather by its path, without checking that it exists.
   *
   * @param path the gather's directory, {@link Gather#path}
   * @throws GatherException if the path cannot be that of a gather
   */
  public Gather open(Path path) throws GatherException {
    Path absolute = fs.makeQualified(path);
    GatherPaths paths =
        GatherPaths.parse(absolute)
            .orElseThrow(
                () ->
                    new GatherException(
                        Problem.WRONG_USAGE,
                        path + " is not the path of a gather; write the path that begin returned"));
    return new Gather(fs, paths, this::randomHex, cleaner());
  }

  /**
   * Removes expired gathers of a directory, and what killed writers and commits have left.
   *
   * @return the number of gathers removed
   */
  public int sweep(Path directory) throws IOException {
    return cleaner().sweep(fs.makeQualified(directory));
  }

  private ExpiredGatherCleaner cleaner() {
    return new ExpiredGatherCleaner(fs, clock);
  }

  private String randomHex() {
    return String.format("%016x", random.nextLong());
  }
}
