package dev.weir.hdfs;

import dev.weir.hdfs.FileAdvice.Creation;
import dev.weir.hdfs.FileAdvice.Values;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * HDFS whose default replication and block size of a file are those that its hint advises; set it
 * as {@code fs.hdfs.impl}. What the program names itself is not touched, nor what its command line
 * sets ({@code -D dfs.replication=2}), and everything else is {@link DistributedFileSystem}'s.
 * Hints are those of the cluster that {@code fs.defaultFS} names and apply to no other.
 *
 * <p>Hints are begun to be read a second after the file system was made, 0.2 s after it first
 * opened or made a file, or at once if {@value #PATIENCE_KEY} is set: a command that lists, reads
 * or writes a file and ends pays nothing for them unless it asks for that. One file waits up to
 * {@value #PATIENCE_MILLIS} ms, or as long as is set, for hints that are being read; files are
 * stock until they are there.
 *
 * <p>Where {@value PinningClient#ENABLED_KEY} is true, the blocks of files whose hints say where
 * they go are pinned there, for the Balancer to leave them; not those that {@link #createFile} and
 * appending make.
 *
 * <p>No call fails because of hints: a file whose advised values the NameNode refuses is created
 * again with the stock ones; only {@link #createFile} leads past that, so keep {@code
 * dfs.replication.max} the same for clients and NameNode.
 */
public class WeirFileSystem extends DistributedFileSystem {
  /** How long one file waits for the hints: a time with its unit, such as {@code 50ms}. */
  public static final String PATIENCE_KEY = "weir.client.hints.patience";

  /**
   * A hint set as JSON on the local disk that counts instead of those in ZooKeeper: for the workers
   * of a run, which know its hints before anybody could ask for them.
   */
  public static final String FILE_KEY = "weir.client.hints.file";

  /** The default of {@value #PATIENCE_KEY}, in milliseconds. */
  static final long PATIENCE_MILLIS = 50;

  private FileAdvice advice = FileAdvice.none();
  private LazyPinningClient pins = LazyPinningClient.none();

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirFileSystem() {}

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    Configuration quick = CloseRetryConfig.applyTo(conf);
    super.initialize(uri, quick);
    advice = FileAdvice.of(uri, conf);
    if (PinningClient.isWanted(conf)) {
      pins = LazyPinningClient.by(() -> new PinningClient(getClient().getNamenode(), quick, statistics));
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    advice.workBegins();
    return super.open(path, bufferSize);
  }

  @Override
  public short getDefaultReplication(Path path) {
    return advice.replication(absolute(path), super.getDefaultReplication(path));
  }

  @Override
  public long getDefaultBlockSize(Path path) {
    return advice.blockSize(absolute(path), super.getDefaultBlockSize(path));
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
        values ->
            pinned(
                path,
                (client, name) ->
                    client.create(
                        name,
                        permission,
                        flags,
                        true,
                        values.replication(),
                        values.blockSize(),
                        progress,
                        bufferSize,
                        checksum,
                        PinningClient.places(values.replication())),
                () ->
                    super.create(
                        path,
                        permission,
                        flags,
                        bufferSize,
                        values.replication(),
                        values.blockSize(),
                        progress,
                        checksum)));
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
        values ->
            pinned(
                path,
                (client, name) ->
                    client.create(
                        name,
                        permission,
                        withCreate(flags),
                        false,
                        values.replication(),
                        values.blockSize(),
                        progress,
                        bufferSize,
                        null,
                        PinningClient.places(values.replication())),
                () ->
                    super.createNonRecursive(
                        path,
                        permission,
                        flags,
                        bufferSize,
                        values.replication(),
                        values.blockSize(),
                        progress)));
  }

  @Override
  public void close() throws IOException {
    try {
      // First: to complete its files it needs the connection that is closed here.
      pins.close();
    } finally {
      closeStock();
    }
  }

  private void closeStock() throws IOException {
    try {
      super.close();
    } finally {
      advice.close();
    }
  }

  /** What came of the hints of this file system. */
  HintStatistics counts() {
    return advice.counts();
  }

  private <T> T creating(Path path, short replication, long blockSize, Creation<T> creation)
      throws IOException {
    return advice.creating(
        absolute(path),
        new Values(replication, blockSize),
        () -> new Values(super.getDefaultReplication(path), super.getDefaultBlockSize(path)),
        creation);
  }

  /** Creates a file whose blocks stay where its hint has them placed, if it is one of those. */
  private FSDataOutputStream pinned(Path path, PinnedForm pinned, StockForm stock)
      throws IOException {
    String name = absolute(path);
    DFSClient client =
        pins.areWanted() && DFSUtilClient.isValidName(name) && advice.hasPlace(name)
            ? pins.client()
            : null;
    if (client == null) {
      return stock.create();
    }
    checkPath(fixRelativePart(path));
    try {
      DFSOutputStream file = pinned.create(client, name);
      statistics.incrementWriteOps(1);
      return wrapped(file);
    } catch (UnresolvedLinkException e) {
      // Only the stock form follows links, to file systems that may be other ones.
      return stock.create();
    }
  }

  /** By the file system's own client: the other one does not know where keys are. */
  private FSDataOutputStream wrapped(DFSOutputStream file) throws IOException {
    try {
      return getClient().createWrappedOutputStream(file, statistics);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static EnumSet<CreateFlag> withCreate(EnumSet<CreateFlag> flags) {
    EnumSet<CreateFlag> all = EnumSet.copyOf(flags);
    if (all.contains(CreateFlag.OVERWRITE)) {
      all.add(CreateFlag.CREATE);
    }
    return all;
  }

  /** How Hadoop's client creates a file. */
  @FunctionalInterface
  private interface PinnedForm {
    DFSOutputStream create(DFSClient client, String name) throws IOException;
  }

  /** How Hadoop's file system does. */
  @FunctionalInterface
  private interface StockForm {
    FSDataOutputStream create() throws IOException;
  }

  private String absolute(Path path) {
    return fixRelativePart(path).toUri().getPath();
  }
}
