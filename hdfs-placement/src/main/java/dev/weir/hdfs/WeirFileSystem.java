package dev.weir.hdfs;

import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hints.Hint;
import dev.weir.hints.Match;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * HDFS whose default replication and block size of a file are those that its hint advises; set it
 * as {@code fs.hdfs.impl}. What the program names itself is not touched, and everything else is
 * {@link DistributedFileSystem}'s. Hints are those of the cluster that {@code fs.defaultFS} names
 * and apply to no other.
 *
 * <p>The first file waits up to {@value #PATIENCE_MILLIS} ms ({@value #PATIENCE_KEY}) for the first
 * index; if that has not come by then, files are stock until it has. A program that writes one file
 * and ends, such as {@code hadoop fs -put}, is often done before: it may be given more patience. No
 * call fails because of hints: a file whose advised values the NameNode refuses is created again
 * with the stock ones.
 */
public class WeirFileSystem extends DistributedFileSystem {
  /** How long the first file waits for the hints: a time with its unit, such as {@code 50ms}. */
  public static final String PATIENCE_KEY = "weir.client.hints.patience";

  /** The default of {@value #PATIENCE_KEY}, in milliseconds. */
  static final long PATIENCE_MILLIS = 50;

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
    initializeHints(isDefaultFileSystem(uri, conf) ? LazyHints.of(conf, "") : LazyHints.none());
  }

  /** Replaces the hints by others; also the way in for tests. */
  final void initializeHints(LazyHints newHints) {
    hints = newHints;
    defaults = FileDefaults.of(getConf());
    hints.start();
  }

  @Override
  public short getDefaultReplication(Path path) {
    short stock = super.getDefaultReplication(path);
    return hint(path).map(hint -> (short) defaults.replication(hint).orElse(stock)).orElse(stock);
  }

  @Override
  public long getDefaultBlockSize(Path path) {
    long stock = super.getDefaultBlockSize(path);
    return hint(path).map(hint -> defaults.blockSize(hint).orElse(stock)).orElse(stock);
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
      boolean sizeAdvised = defaults.blockSize(hint.get()).orElse(-1) == blockSize;
      if (!copiesAdvised && !sizeAdvised) {
        throw e;
      }
      refused.increment();
      return createAgain(
          creation,
          copiesAdvised ? super.getDefaultReplication(path) : replication,
          sizeAdvised ? super.getDefaultBlockSize(path) : blockSize,
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

  private Optional<Hint> hint(Path path) {
    LazyHints present = hints;
    if (!present.isEnabled()) {
      return Optional.empty();
    }
    try {
      Duration patience = waited.compareAndSet(false, true) ? patienceOf(getConf()) : Duration.ZERO;
      if (!present.awaitLoaded(patience)) {
        unready.increment();
        return Optional.empty();
      }
      Optional<Hint> found =
          present.lookup(fixRelativePart(path).toUri().getPath()).map(Match::hint);
      found.ifPresent(hint -> advised.increment());
      return found;
    } catch (RuntimeException | LinkageError fault) {
      present.failed(path.toString(), fault);
      return Optional.empty();
    }
  }

  private static Duration patienceOf(Configuration conf) {
    return Duration.ofMillis(
        conf.getTimeDuration(PATIENCE_KEY, PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
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
