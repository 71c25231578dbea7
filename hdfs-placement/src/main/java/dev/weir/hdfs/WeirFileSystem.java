package dev.weir.hdfs;

import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hints.Hint;
import dev.weir.hints.Match;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS whose default replication and block size of a file are those that its hint advises; set it
 * as {@code fs.hdfs.impl}. What the program names itself is not touched, and everything else is
 * {@link DistributedFileSystem}'s. Hints are those of the cluster that {@code fs.defaultFS} names
 * and apply to no other.
 *
 * <p>Hints are begun to be read a second after the file system was made, 0.2 s after it first
 * opened or made a file, or at once with that file if {@value #PATIENCE_KEY} is set: a command that
 * lists, reads or writes a file and ends pays nothing for them. One file waits up to {@value
 * #PATIENCE_MILLIS} ms, or as long as is set, for hints that are being read; files are stock until
 * they are there.
 *
 * <p>No call fails because of hints: a file whose advised values the NameNode refuses is created
 * again with the stock ones; only {@link #createFile} leads past that, so keep {@code
 * dfs.replication.max} the same for clients and NameNode.
 */
public class WeirFileSystem extends DistributedFileSystem {
  /** How long one file waits for the hints: a time with its unit, such as {@code 50ms}. */
  public static final String PATIENCE_KEY = "weir.client.hints.patience";

  private static final Logger LOG = LoggerFactory.getLogger(WeirFileSystem.class);

  /** The default of {@value #PATIENCE_KEY}, in milliseconds. */
  static final long PATIENCE_MILLIS = 50;

  /**
   * A process that lives so long after it opened the file system reads hints, in case that it will
   * write; a command that lists or looks something up has ended.
   */
  private static final Duration LATEST_START = Duration.ofSeconds(1);

  /**
   * The same after a file was opened or made: who does so often goes on to others, unless it is a
   * command for one file, which has ended before any hint could have come.
   */
  private static final Duration START_OF_WORK = Duration.ofMillis(200);

  /** Static, for Hadoop makes the instances and has no place for what they share. */
  private static final SharedHintStores STORES = new SharedHintStores(ZooKeeperHintStore::open);

  private final AtomicBoolean waited = new AtomicBoolean();
  private final LongAdder advised = new LongAdder();
  private final LongAdder unready = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private LazyHints hints = LazyHints.none();
  private FileDefaults defaults = FileDefaults.of(new Configuration(false));

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirFileSystem() {}

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, QuickClose.applyTo(conf));
    try {
      initializeHints(
          isDefaultFileSystem(uri, conf) ? LazyHints.of(conf, STORES::open) : LazyHints.none());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("No hints, every file is as stock has it", e);
    }
  }

  /** Replaces the hints by others; also the way in for tests. */
  final void initializeHints(LazyHints newHints) {
    defaults = FileDefaults.of(getConf());
    hints = newHints;
    hints.startWithin(LATEST_START);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    hints.startWithin(START_OF_WORK);
    return super.open(path, bufferSize);
  }

  @Override
  public short getDefaultReplication(Path path) {
    short stock = super.getDefaultReplication(path);
    OptionalInt advice = hint(path).map(defaults::replication).orElse(OptionalInt.empty());
    return (short) advice.orElse(stock);
  }

  @Override
  public long getDefaultBlockSize(Path path) {
    long stock = super.getDefaultBlockSize(path);
    return hint(path)
        .map(hint -> defaults.blockSize(hint, stock))
        .orElse(OptionalLong.empty())
        .orElse(stock);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress,
      @Nullable ChecksumOpt checksum)
      throws IOException {
    return creating(
        path,
        replication,
        blockSize,
        (copies, size) ->
            super.create(path, permission, flags, bufferSize, copies, size, progress, checksum));
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      @Nullable Progressable progress)
      throws IOException {
    return creating(
        path,
        replication,
        blockSize,
        (copies, size) ->
            super.createNonRecursive(path, permission, flags, bufferSize, copies, size, progress));
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      hints.close();
    }
  }

  /** How many times a hint was found, the hints were not there yet, and advice was refused. */
  Counts counts() {
    return new Counts(advised.sum(), unready.sum(), refused.sum());
  }

  private FSDataOutputStream creating(
      Path path, short replication, long blockSize, Creation creation) throws IOException {
    try {
      return creation.create(replication, blockSize);
    } catch (IOException e) {
      Optional<Hint> hint = speaksOfAdvice(e) ? hint(path) : Optional.empty();
      if (hint.isEmpty()) {
        throw e;
      }
      boolean copiesAdvised = defaults.replication(hint.get()).orElse(-1) == replication;
      long stockSize = super.getDefaultBlockSize(path);
      boolean sizeAdvised = defaults.blockSize(hint.get(), stockSize).orElse(-1) == blockSize;
      if (!copiesAdvised && !sizeAdvised) {
        throw e;
      }
      refused.increment();
      return createAgain(
          creation,
          copiesAdvised ? super.getDefaultReplication(path) : replication,
          sizeAdvised ? stockSize : blockSize,
          e);
    }
  }

  private static FSDataOutputStream createAgain(
      Creation creation, short replication, long blockSize, IOException first) throws IOException {
    try {
      return creation.create(replication, blockSize);
    } catch (IOException e) {
      e.addSuppressed(first);
      throw e;
    }
  }

  /** The words of the NameNode when it refuses either; it has no exception class for it. */
  private static boolean speaksOfAdvice(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("replication") || message.contains("block size");
  }

  /** Only for files about to be written. */
  private Optional<Hint> hint(Path path) {
    LazyHints present = hints;
    if (!present.isEnabled()) {
      return Optional.empty();
    }
    try {
      if (!present.awaitLoaded(patience(present))) {
        unready.increment();
        return Optional.empty();
      }
      Optional<Hint> found =
          present.lookup(fixRelativePart(path).toUri().getPath()).map(Match::hint);
      found.ifPresent(hint -> advised.increment());
      return found;
    } catch (RuntimeException | Error fault) {
      present.failed(path.toString(), fault);
      return Optional.empty();
    }
  }

  /** Nobody waits twice, nor for what is certain not to come within the default patience. */
  private Duration patience(LazyHints present) {
    boolean isWanted = getConf().get(PATIENCE_KEY) != null;
    present.startWithin(isWanted ? Duration.ZERO : START_OF_WORK);
    boolean mayWait = isWanted || present.isBegun();
    return mayWait && waited.compareAndSet(false, true)
        ? Duration.ofMillis(
            getConf().getTimeDuration(PATIENCE_KEY, PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
        : Duration.ZERO;
  }

  private static boolean isDefaultFileSystem(URI uri, Configuration conf) {
    String authority = uri.getAuthority();
    return authority != null && authority.equals(FileSystem.getDefaultUri(conf).getAuthority());
  }

  /** What came of the hints so far. */
  record Counts(long advised, long unready, long refused) {}

  /** A way to create a file, open in what hints advise. */
  @FunctionalInterface
  private interface Creation {
    FSDataOutputStream create(short replication, long blockSize) throws IOException;
  }
}
