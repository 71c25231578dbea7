package dev.weir.hdfs;

import dev.weir.hdfs.HintStatistics.Kind;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.hints.UnfinishedName;
import dev.weir.hints.index.Match;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replication and block size that hints advise for new files of one client. Errors in reading
 * hints are never thrown. Thread-safe.
 */
public final class FileAdvice {
  private static final Logger LOG = LoggerFactory.getLogger(FileAdvice.class);

  private final ClientHints hints;
  private final ClientHints.Attribute attribute;
  private final CreateParameterResolver createParameters;
  private final boolean replicationIsExplicit;
  private final boolean blockSizeIsExplicit;
  private final HintStatistics processCounts;
  private final HintStatistics counts = new HintStatistics();

  private FileAdvice(ClientHints hints, ClientHints.Attribute attribute, Configuration conf) {
    this.hints = hints;
    this.attribute = attribute;
    createParameters = CreateParameterResolver.of(conf);
    replicationIsExplicit =
        ExplicitSettings.isSetForThisRun(conf, HdfsClientConfigKeys.DFS_REPLICATION_KEY);
    blockSizeIsExplicit =
        ExplicitSettings.isSetForThisRun(conf, HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY);
    processCounts = HintStatistics.ofProcess();
  }

  /**
   * The advice for a file system. If hints cannot be read, logs a warning and returns no advice.
   *
   * @param attribute reads the rules of the file system; called when the first file is created
   */
  public static FileAdvice of(URI fileSystem, Configuration conf, ClientHints.Attribute attribute) {
    try {
      return new FileAdvice(ClientHints.of(fileSystem, conf), attribute, conf);
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Hints cannot be used; files get stock values", e);
      return none();
    }
  }

  /** Advice that never changes a value. */
  static FileAdvice none() {
    return new FileAdvice(ClientHints.NONE, () -> null, new Configuration(false));
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
    return hint(path).map(hint -> replication(hint, stock)).orElse(stock);
  }

  /**
   * The block size of a new file for which the program names none, in bytes.
   *
   * @param path absolute, without scheme
   * @param stock the value without hints
   */
  public long blockSize(String path, long stock) {
    return hint(path).map(hint -> blockSize(path, hint, stock)).orElse(stock);
  }

  /**
   * Replication and block size together, with one lookup of the hint.
   *
   * @param stock the values without hints
   */
  public Values values(String path, Values stock) {
    Optional<Hint> hint = hint(path);
    return hint.isEmpty() ? stock : advised(path, hint.get(), stock);
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

  private short replication(Hint hint, short stock) {
    int least = hint.replication().map(Replication::least).orElse(Replication.FILES_OWN);
    return (short) Math.max(least, createParameters.replication(hint).orElse(stock));
  }

  private long blockSize(String path, Hint hint, long stock) {
    return blockSizeIsExplicit || UnfinishedName.isCopy(path)
        ? stock
        : createParameters.blockSize(hint, stock).orElse(stock);
  }

  private Values advised(String path, Hint hint, Values stock) {
    return new Values(
        replicationIsExplicit ? stock.replication() : replication(hint, stock.replication()),
        blockSize(path, hint, stock.blockSize()));
  }

  /**
   * Creates a file. If the NameNode refuses values that a hint may have advised, retries with stock
   * values.
   *
   * @param requested the values that the program chose or the hint advised
   * @param stock called only if something was refused
   */
  public <T> T createOrFallBack(
      String path,
      Values requested,
      CallableRaisingIOE<Values> stock,
      FunctionRaisingIOE<Values, T> creation)
      throws IOException {
    try {
      return creation.apply(requested);
    } catch (IOException e) {
      Optional<Hint> hint = mayRefuseAdvice(e) ? hint(path) : Optional.empty();
      if (hint.isEmpty()) {
        throw e;
      }
      Values plain = stock.apply();
      Values advised = advised(path, hint.get(), plain);
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

  private static <T> T retryCreate(
      FunctionRaisingIOE<Values, T> creation, Values values, IOException first) throws IOException {
    try {
      return creation.apply(values);
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
    try {
      Optional<Hint> found =
          hints.current(attribute, () -> count(Kind.UNREADABLE)).lookup(path).map(Match::hint);
      found.ifPresent(hint -> count(Kind.ADVISED));
      return found;
    } catch (RuntimeException | Error fault) {
      ClientHints.logFailure(path, fault);
      return Optional.empty();
    }
  }

  private void count(Kind kind) {
    counts.count(kind);
    processCounts.count(kind);
  }

  HintStatistics counts() {
    return counts;
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
}
