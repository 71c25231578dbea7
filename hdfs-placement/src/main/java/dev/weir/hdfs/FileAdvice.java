package dev.weir.hdfs;

import dev.weir.hdfs.HintStatistics.Kind;
import dev.weir.hdfs.placement.LazyHints;
import dev.weir.hints.Hint;
import dev.weir.hints.HintSettings;
import dev.weir.hints.LogLimit;
import dev.weir.hints.Placement;
import dev.weir.hints.index.Match;
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
 * The replication and block size that hints advise for new files of one client. Errors in reading
 * hints are never thrown. At most one file waits for hints, for the configured time. Thread-safe.
 */
public final class FileAdvice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileAdvice.class);

  /**
   * The delay of loading after the file system was opened. A command that only lists has ended by
   * then.
   */
  private static final Duration OPEN_DELAY = Duration.ofSeconds(1);

  /**
   * The delay of loading after the first file was opened or created. A command for one file has
   * ended by then; a longer process is likely to write more files.
   */
  private static final Duration FIRST_FILE_DELAY = Duration.ofMillis(200);

  /** Static because Hadoop creates the instances and has no place for shared objects. */
  private static final SharedHintStores STORES = new SharedHintStores(ZooKeeperHintStore::open);

  /**
   * Sources of clients that are never closed; a process may create one for each file. They stay
   * open, one for each ZooKeeper and file system.
   */
  private static final Map<HintSettings, Source> CONTEXT_SOURCES = new ConcurrentHashMap<>();

  private final Configuration conf;
  private final Source source;
  private final CreateParameterResolver createParameters;
  private final boolean replicationIsExplicit;
  private final boolean blockSizeIsExplicit;
  private final HintStatistics processCounts;
  private final HintStatistics counts = new HintStatistics();

  private FileAdvice(Source source, Configuration conf) {
    this.conf = conf;
    this.source = source;
    createParameters = CreateParameterResolver.of(conf);
    replicationIsExplicit =
        ExplicitSettings.isSetForThisRun(conf, HdfsClientConfigKeys.DFS_REPLICATION_KEY);
    blockSizeIsExplicit =
        ExplicitSettings.isSetForThisRun(conf, HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY);
    processCounts = HintStatistics.ofProcess();
    boolean isLocalFile = conf.get(WeirFileSystem.FILE_KEY) != null;
    source.hints().startWithin(isLocalFile || hasConfiguredWait() ? Duration.ZERO : OPEN_DELAY);
  }

  /**
   * The advice for a file system. If hints cannot be read, logs a warning and returns no advice.
   *
   * @param fileSystem hints apply only to the default file system
   */
  public static FileAdvice of(URI fileSystem, Configuration conf) {
    try {
      return isDefault(fileSystem, conf) ? new FileAdvice(Source.of(hints(conf)), conf) : none();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Hints cannot be used; files get stock values", e);
      return none();
    }
  }

  /** The hints of the file that the configuration names, or else those in ZooKeeper. */
  private static LazyHints hints(Configuration conf) {
    String file = conf.getTrimmed(WeirFileSystem.FILE_KEY, "");
    return file.isEmpty()
        ? LazyHints.of(conf, STORES::open)
        : new LazyHints(() -> HintFile.open(Path.of(file)), LogLimit.oncePerMinute());
  }

  /** The advice for a client that is never closed. All such clients share a source of hints. */
  public static FileAdvice ofContext(URI fileSystem, Configuration conf) {
    try {
      return isDefault(fileSystem, conf)
          ? new FileAdvice(
              CONTEXT_SOURCES.computeIfAbsent(
                  HintSettings.from(conf), settings -> Source.of(LazyHints.of(conf, STORES::open))),
              conf)
          : none();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Hints cannot be used; files get stock values", e);
      return none();
    }
  }

  /** Advice that never changes a value. */
  static FileAdvice none() {
    return new FileAdvice(Source.of(LazyHints.none()), new Configuration(false));
  }

  private static boolean isDefault(URI fileSystem, Configuration conf) {
    String authority = fileSystem.getAuthority();
    return authority != null && authority.equals(FileSystem.getDefaultUri(conf).getAuthority());
  }

  /** Records that a file was opened: others will probably be written. */
  public void fileOpened() {
    source.hints().startWithin(FIRST_FILE_DELAY);
  }

  /**
   * The replication of a new file for which the program names none.
   *
   * @param path absolute, without scheme
   * @param stock the value without hints
   */
  public short replication(String path, short stock) {
    if (replicationIsExplicit) {
      return stock;
    }
    return hint(path)
        .map(hint -> (short) createParameters.replication(hint).orElse(stock))
        .orElse(stock);
  }

  /**
   * The block size of a new file for which the program names none, in bytes.
   *
   * @param path absolute, without scheme
   * @param stock the value without hints
   */
  public long blockSize(String path, long stock) {
    if (blockSizeIsExplicit) {
      return stock;
    }
    return hint(path)
        .map(hint -> createParameters.blockSize(hint, stock).orElse(stock))
        .orElse(stock);
  }

  /**
   * Replication and block size together, with one lookup of the hint.
   *
   * @param stock the values without hints
   */
  public Values values(String path, Values stock) {
    Optional<Hint> hint = hint(path);
    return hint.isEmpty() ? stock : advised(hint.get(), stock);
  }

  /** Whether a hint places the new file's blocks, so that they should not be moved. */
  public boolean isPlacedByHint(String path) {
    return hint(path).flatMap(Hint::placement).stream()
        .anyMatch(placement -> !(placement instanceof Placement.Spread));
  }

  /** Whether a rule applies to the file. */
  boolean isHinted(String path) {
    return hint(path).isPresent();
  }

  /**
   * The replication that a file would have without hints.
   *
   * @param present its replication, which is the result if no hint raised it
   * @param stock the value without hints
   */
  short ownReplication(String path, short present, short stock) {
    if (present <= stock || replication(path, stock) != present) {
      return present;
    }
    count(Kind.REFUSED);
    return stock;
  }

  private Values advised(Hint hint, Values stock) {
    return new Values(
        replicationIsExplicit
            ? stock.replication()
            : (short) createParameters.replication(hint).orElse(stock.replication()),
        blockSizeIsExplicit
            ? stock.blockSize()
            : createParameters.blockSize(hint, stock.blockSize()).orElse(stock.blockSize()));
  }

  /**
   * Creates a file. If the NameNode refuses values that a hint may have advised, retries with stock
   * values.
   *
   * @param requested the values that the program chose or the hint advised
   * @param stock called only if something was refused
   */
  public <T> T createOrFallBack(String path, Values requested, Stock stock, Creation<T> creation)
      throws IOException {
    try {
      return creation.create(requested);
    } catch (IOException e) {
      Optional<Hint> hint = mayRefuseAdvice(e) ? hint(path) : Optional.empty();
      if (hint.isEmpty()) {
        throw e;
      }
      Values plain = stock.values();
      Values advised = advised(hint.get(), plain);
      Values retryValues =
          new Values(
              requested.replication() == advised.replication()
                  ? plain.replication()
                  : requested.replication(),
              requested.blockSize() == advised.blockSize()
                  ? plain.blockSize()
                  : requested.blockSize());
      if (retryValues.equals(requested)) {
        throw e;
      }
      count(Kind.REFUSED);
      return retryCreate(creation, retryValues, e);
    }
  }

  private static <T> T retryCreate(Creation<T> creation, Values values, IOException first)
      throws IOException {
    try {
      return creation.create(values);
    } catch (IOException e) {
      e.addSuppressed(first);
      throw e;
    }
  }

  /**
   * Checks the message: the NameNode has no exception class for refused replication or block size.
   */
  private static boolean mayRefuseAdvice(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("replication") || message.contains("block size");
  }

  private Optional<Hint> hint(String path) {
    if (!source.hints().isEnabled()) {
      return Optional.empty();
    }
    try {
      if (!source.hints().awaitLoaded(waitLimit())) {
        count(Kind.UNREADY);
        return Optional.empty();
      }
      Optional<Hint> found = source.hints().lookup(path).map(Match::hint);
      found.ifPresent(hint -> count(Kind.ADVISED));
      return found;
    } catch (RuntimeException | Error fault) {
      source.hints().logFailure(path, fault);
      return Optional.empty();
    }
  }

  /** Only the first file waits, and not if hints cannot be loaded within the default wait. */
  private Duration waitLimit() {
    source.hints().startWithin(FIRST_FILE_DELAY);
    boolean mayWait = hasConfiguredWait() || source.hints().isStarted();
    return mayWait && source.waited().compareAndSet(false, true)
        ? Duration.ofMillis(
            conf.getTimeDuration(
                WeirFileSystem.PATIENCE_KEY, WeirFileSystem.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
        : Duration.ZERO;
  }

  /** Whether the configuration sets a wait; hints are then loaded without delay. */
  private boolean hasConfiguredWait() {
    return conf.get(WeirFileSystem.PATIENCE_KEY) != null;
  }

  private void count(Kind kind) {
    counts.count(kind);
    processCounts.count(kind);
  }

  /** The statistics of this file system. */
  HintStatistics counts() {
    return counts;
  }

  @Override
  public void close() {
    source.hints().close();
  }

  /**
   * The hints of one or more clients.
   *
   * @param hints may never be loaded
   * @param waited whether a file has waited for them
   */
  private record Source(LazyHints hints, AtomicBoolean waited) {
    static Source of(LazyHints hints) {
      return new Source(hints, new AtomicBoolean());
    }
  }

  /**
   * The values a file is created with.
   *
   * @param replication the number of replicas
   * @param blockSize in bytes
   */
  public record Values(short replication, long blockSize) {
    /** A record's own text of a short does not survive the lowering to Java 8. */
    @Override
    public String toString() {
      return "Values[replication=" + (int) replication + ", blockSize=" + blockSize + "]";
    }
  }

  /** Supplies the values of a file without hints. */
  @FunctionalInterface
  public interface Stock {
    /** Asks for the values. */
    Values values() throws IOException;
  }

  /** Creates a file with the given values. */
  @FunctionalInterface
  public interface Creation<T> {
    /** Creates the file. */
    T create(Values values) throws IOException;
  }
}
