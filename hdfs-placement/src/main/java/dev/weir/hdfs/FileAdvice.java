package dev.weir.hdfs;

import dev.weir.hdfs.HintStatistics.Kind;
import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hints.Hint;
import dev.weir.hints.HintSettings;
import dev.weir.hints.LogLimit;
import dev.weir.hints.Match;
import dev.weir.hints.Placement;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replication and block size that hints advise for the new files of one client. Nothing here
 * throws but what the file system itself does, and nobody waits but one file, once, for the
 * patience of the configuration. For any thread.
 */
public final class FileAdvice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileAdvice.class);

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

  /**
   * Those of clients that are never closed, and of which a process may make one for each file. They
   * stay open, one for each ZooKeeper and file system that the process has to do with.
   */
  private static final Map<HintSettings, Source> CONTEXTS = new ConcurrentHashMap<>();

  private final Configuration conf;
  private final Source source;
  private final FileDefaults defaults;
  private final boolean replicationIsChosen;
  private final boolean blockSizeIsChosen;
  private final HintStatistics processCounts;
  private final HintStatistics counts = new HintStatistics();

  private FileAdvice(Source source, Configuration conf) {
    this.conf = conf;
    this.source = source;
    defaults = FileDefaults.of(conf);
    replicationIsChosen =
        ExplicitSettings.isOfThisRun(conf, HdfsClientConfigKeys.DFS_REPLICATION_KEY);
    blockSizeIsChosen = ExplicitSettings.isOfThisRun(conf, HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY);
    processCounts = HintStatistics.ofProcess();
    boolean isAtHand = conf.get(WeirFileSystem.FILE_KEY) != null;
    source.hints().startWithin(isAtHand || isWanted() ? Duration.ZERO : LATEST_START);
  }

  /**
   * The advice for a file system; none, and a line in the log, when hints cannot be read.
   *
   * @param fileSystem hints are those of the default file system and apply to no other
   */
  public static FileAdvice of(URI fileSystem, Configuration conf) {
    try {
      return isDefault(fileSystem, conf) ? new FileAdvice(Source.of(hints(conf)), conf) : none();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("No hints, every file is as stock has it", e);
      return none();
    }
  }

  /** Those of a file that the configuration names, or else those in ZooKeeper. */
  private static LazyHints hints(Configuration conf) {
    String file = conf.getTrimmed(WeirFileSystem.FILE_KEY, "");
    return file.isEmpty()
        ? LazyHints.of(conf, STORES::open)
        : new LazyHints(() -> HintFile.open(Path.of(file)), LogLimit.oncePerMinute());
  }

  /** The same for a client that nobody will close: all of them share what is to be closed. */
  public static FileAdvice ofContext(URI fileSystem, Configuration conf) {
    try {
      return isDefault(fileSystem, conf)
          ? new FileAdvice(
              CONTEXTS.computeIfAbsent(
                  HintSettings.from(conf), settings -> Source.of(LazyHints.of(conf, STORES::open))),
              conf)
          : none();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("No hints, every file is as stock has it", e);
      return none();
    }
  }

  /** No advice ever. */
  static FileAdvice none() {
    return new FileAdvice(Source.of(LazyHints.none()), new Configuration(false));
  }

  private static boolean isDefault(URI fileSystem, Configuration conf) {
    String authority = fileSystem.getAuthority();
    return authority != null && authority.equals(FileSystem.getDefaultUri(conf).getAuthority());
  }

  /** Takes note that a file is opened: others will probably be written. */
  public void workBegins() {
    source.hints().startWithin(START_OF_WORK);
  }

  /**
   * The replication of a new file for which the program names none.
   *
   * @param path absolute, without scheme
   * @param stock what it is without hints
   */
  public short replication(String path, short stock) {
    if (replicationIsChosen) {
      return stock;
    }
    return hint(path).map(hint -> (short) defaults.replication(hint).orElse(stock)).orElse(stock);
  }

  /** The block size likewise, in bytes. */
  public long blockSize(String path, long stock) {
    if (blockSizeIsChosen) {
      return stock;
    }
    return hint(path).map(hint -> defaults.blockSize(hint, stock).orElse(stock)).orElse(stock);
  }

  /**
   * Both likewise, for one look at the hints.
   *
   * @param stock what they are without hints
   */
  public Values values(String path, Values stock) {
    Optional<Hint> hint = hint(path);
    return hint.isEmpty() ? stock : advised(hint.get(), stock);
  }

  /** Whether a new file's blocks have places of their own, which they are to keep. */
  public boolean hasPlace(String path) {
    return hint(path).flatMap(Hint::placement).stream()
        .anyMatch(placement -> !(placement instanceof Placement.Spread));
  }

  private Values advised(Hint hint, Values stock) {
    return new Values(
        replicationIsChosen
            ? stock.replication()
            : (short) defaults.replication(hint).orElse(stock.replication()),
        blockSizeIsChosen
            ? stock.blockSize()
            : defaults.blockSize(hint, stock.blockSize()).orElse(stock.blockSize()));
  }

  /**
   * Creates a file. When the NameNode refuses values that a hint advised, and that the program
   * therefore may not have chosen, it is created again with the stock ones.
   *
   * @param asked what the program or the advice says
   * @param stock asked only when something was refused
   */
  public <T> T creating(String path, Values asked, Stock stock, Creation<T> creation)
      throws IOException {
    try {
      return creation.create(asked);
    } catch (IOException e) {
      Optional<Hint> hint = speaksOfAdvice(e) ? hint(path) : Optional.empty();
      if (hint.isEmpty()) {
        throw e;
      }
      Values plain = stock.values();
      Values advised = advised(hint.get(), plain);
      Values again =
          new Values(
              asked.replication() == advised.replication()
                  ? plain.replication()
                  : asked.replication(),
              asked.blockSize() == advised.blockSize() ? plain.blockSize() : asked.blockSize());
      if (again.equals(asked)) {
        throw e;
      }
      count(Kind.REFUSED);
      return createAgain(creation, again, e);
    }
  }

  private static <T> T createAgain(Creation<T> creation, Values values, IOException first)
      throws IOException {
    try {
      return creation.create(values);
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
  private Optional<Hint> hint(String path) {
    if (!source.hints().isEnabled()) {
      return Optional.empty();
    }
    try {
      if (!source.hints().awaitLoaded(patience())) {
        count(Kind.UNREADY);
        return Optional.empty();
      }
      Optional<Hint> found = source.hints().lookup(path).map(Match::hint);
      found.ifPresent(hint -> count(Kind.ADVISED));
      return found;
    } catch (RuntimeException | Error fault) {
      source.hints().failed(path, fault);
      return Optional.empty();
    }
  }

  /** Nobody waits twice, nor for what is certain not to come within the default patience. */
  private Duration patience() {
    source.hints().startWithin(START_OF_WORK);
    boolean mayWait = isWanted() || source.hints().isBegun();
    return mayWait && source.waited().compareAndSet(false, true)
        ? Duration.ofMillis(
            conf.getTimeDuration(
                WeirFileSystem.PATIENCE_KEY, WeirFileSystem.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
        : Duration.ZERO;
  }

  /** Whether somebody would rather wait than go without: then there is no time to lose. */
  private boolean isWanted() {
    return conf.get(WeirFileSystem.PATIENCE_KEY) != null;
  }

  private void count(Kind kind) {
    counts.count(kind);
    processCounts.count(kind);
  }

  /** What came of the hints of this file system so far. */
  HintStatistics counts() {
    return counts;
  }

  @Override
  public void close() {
    source.hints().close();
  }

  /**
   * The hints, and whether a file has waited for them.
   *
   * @param hints may never come
   * @param waited nobody does so twice
   */
  private record Source(LazyHints hints, AtomicBoolean waited) {
    static Source of(LazyHints hints) {
      return new Source(hints, new AtomicBoolean());
    }
  }

  /**
   * What a file is created with.
   *
   * @param replication how many replicas
   * @param blockSize in bytes
   */
  public record Values(short replication, long blockSize) {}

  /** What a file is created with where there are no hints. */
  @FunctionalInterface
  public interface Stock {
    /** Asks for it. */
    Values values() throws IOException;
  }

  /** A way to create a file, open in what hints advise. */
  @FunctionalInterface
  public interface Creation<T> {
    /** Creates it. */
    T create(Values values) throws IOException;
  }
}
