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
 * HDFS with the default replication and block size that a file's hint advises; set it as {@code
 * fs.hdfs.impl}. Values that the program names itself are not changed, nor those of its command
 * line ({@code -D dfs.replication=2}). Everything else is as in {@link DistributedFileSystem}.
 * Hints apply only to the cluster that {@code fs.defaultFS} names.
 *
 * <p>Loading hints starts one second after the file system was created, 0.2 s after it first opened
 * or created a file, or at once if {@value #PATIENCE_KEY} is set. So a command that lists, reads or
 * writes one file does not pay for hints unless it asks for them. One file waits for hints that are
 * being loaded, up to {@value #PATIENCE_MILLIS} ms or the configured time. Files get stock values
 * until hints are loaded.
 *
 * <p>If {@value PinningClient#ENABLED_KEY} is true, the blocks of files whose hints place them are
 * pinned, so that the Balancer does not move them. This does not apply to {@link #createFile} and
 * to appending.
 *
 * <p>No call fails because of hints: if the NameNode refuses advised values, the file is created
 * again with stock ones. Only {@link #createFile} cannot do this, so keep {@code
 * dfs.replication.max} the same on clients and NameNode.
 */
public class WeirFileSystem extends DistributedFileSystem {
  /** How long one file waits for hints: a time with its unit, such as {@code 50ms}. */
  public static final String PATIENCE_KEY = "weir.client.hints.patience";

  /**
   * A hint set as JSON on the local disk, used instead of those in ZooKeeper. It is meant for
   * workers of a run, which know its hints in advance.
   */
  public static final String FILE_KEY = "weir.client.hints.file";

  /** The default of {@value #PATIENCE_KEY}, in milliseconds. */
  static final long PATIENCE_MILLIS = 50;

  private FileAdvice advice = FileAdvice.none();
  private LazyPinningClient pinningClient = LazyPinningClient.none();

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirFileSystem() {}

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    Configuration adjusted = CloseRetryConfig.applyTo(conf);
    super.initialize(uri, adjusted);
    advice = FileAdvice.of(uri, conf);
    if (PinningClient.isWanted(conf)) {
      pinningClient =
          LazyPinningClient.of(
              () -> new PinningClient(getClient().getNamenode(), adjusted, statistics));
    }
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    advice.fileOpened();
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
    return createOrFallBack(
        path,
        replication,
        blockSize,
        values ->
            createPinned(
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
                        PinningClient.placeholders(values.replication())),
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
    return createOrFallBack(
        path,
        replication,
        blockSize,
        values ->
            createPinned(
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
                        PinningClient.placeholders(values.replication())),
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
      // First, because completing its files needs the connection that is closed here.
      pinningClient.close();
    } finally {
      closeFileSystem();
    }
  }

  private void closeFileSystem() throws IOException {
    try {
      super.close();
    } finally {
      advice.close();
    }
  }

  /** The statistics of this file system's hints. */
  HintStatistics counts() {
    return advice.counts();
  }

  private <T> T createOrFallBack(Path path, short replication, long blockSize, Creation<T> creation)
      throws IOException {
    return advice.createOrFallBack(
        absolute(path),
        new Values(replication, blockSize),
        () -> new Values(super.getDefaultReplication(path), super.getDefaultBlockSize(path)),
        creation);
  }

  /** Creates a file and pins its blocks if its hint places them. */
  private FSDataOutputStream createPinned(Path path, PinnedCreate pinnedCreate, StockCreate stock)
      throws IOException {
    String name = absolute(path);
    DFSClient client =
        pinningClient.isEnabled() && DFSUtilClient.isValidName(name) && advice.isPlacedByHint(name)
            ? pinningClient.client()
            : null;
    if (client == null) {
      return stock.create();
    }
    checkPath(fixRelativePart(path));
    try {
      DFSOutputStream file = pinnedCreate.create(client, name);
      statistics.incrementWriteOps(1);
      return wrap(file);
    } catch (UnresolvedLinkException e) {
      // Only the stock call follows links, which may lead to other file systems.
      return stock.create();
    }
  }

  /** Uses the file system's own client, because the other one does not know the key provider. */
  private FSDataOutputStream wrap(DFSOutputStream file) throws IOException {
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

  @FunctionalInterface
  private interface PinnedCreate {
    DFSOutputStream create(DFSClient client, String name) throws IOException;
  }

  @FunctionalInterface
  private interface StockCreate {
    FSDataOutputStream create() throws IOException;
  }

  private String absolute(Path path) {
    return fixRelativePart(path).toUri().getPath();
  }
}
