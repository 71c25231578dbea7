package dev.weir.hdfs;

import dev.weir.hdfs.FileAdvice.Values;
import dev.weir.hints.store.ClientRules;
import java.io.IOException;
import java.net.InetSocketAddress;
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
import org.apache.hadoop.hdfs.AdaptiveReads;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * HDFS with the default replication and block size that a file's hint advises; set it as {@code
 * fs.hdfs.impl}. Values that the program names itself are not changed, nor those of its command
 * line ({@code -D dfs.replication=2}). Everything else is as in {@link DistributedFileSystem}.
 *
 * <p>The first file that a process creates without values of its own costs one call to the
 * NameNode, which returns the rules of all sets ({@link ClientRules}). They are read again when a
 * file is created five minutes later. A process that only reads makes no call.
 *
 * <p>If {@value HintedClient#PINNING_KEY} is true, the blocks of files whose hints place them are
 * pinned, so that the Balancer does not move them. This does not apply to {@link #createFile} and
 * to appending.
 *
 * <p>No call fails because of a replication that a hint advises. If the NameNode refuses it, or a
 * quota has no room for it, the file gets the writer's own. {@link #createFile} cannot do this, so
 * it never gets more replicas from a hint.
 */
public class WeirFileSystem extends DistributedFileSystem {
  /** Whether hints are followed; the default is true. */
  public static final String ENABLED_KEY = "weir.client.hints.enabled";

  /**
   * A hint set as JSON on the local disk, used instead of the attribute. It is meant for workers of
   * a run, which know its hints in advance.
   */
  public static final String FILE_KEY = "weir.client.hints.file";

  private FileAdvice advice = FileAdvice.none();
  private HintedClient hintedClient = HintedClient.none();
  private HintedClient oneReplicaClient = HintedClient.none();
  private boolean isPinning;
  private @Nullable AdaptiveReads reads;

  /** Called by Hadoop, followed by {@link #initialize}. */
  public WeirFileSystem() {}

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    advice = FileAdvice.of(uri, conf, () -> getClient().getXAttrs("/").get(ClientRules.ATTRIBUTE));
    isPinning = HintedClient.isPinningWanted(conf);
    reads = AdaptiveReads.of(conf, statistics);
    hintedClient = clientFor(conf);
    oneReplicaClient = clientFor(CloseRetryConfig.applyTo(conf));
  }

  private HintedClient clientFor(Configuration conf) {
    return new HintedClient(
        () ->
            HintedClient.open(
                getClient().getNamenode(),
                conf,
                statistics,
                (path, present) ->
                    advice.ownReplication(
                        path, present, super.getDefaultReplication(new Path(path)))));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    FSDataInputStream stock = super.open(path, bufferSize);
    return reads == null ? stock : reads.adapt(stock);
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
  public HdfsDataOutputStreamBuilder createFile(Path path) {
    short own = super.getDefaultReplication(path);
    HdfsDataOutputStreamBuilder builder = super.createFile(path);
    return getDefaultReplication(path) > own ? builder.replication(own) : builder;
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
            createHinted(
                path,
                values,
                (client, name, favoured) ->
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
                        favoured),
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
            createHinted(
                path,
                values,
                (client, name, favoured) ->
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
                        favoured),
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
      // First, because completing their files needs the connection that is closed here.
      hintedClient.close();
    } finally {
      try {
        oneReplicaClient.close();
      } finally {
        super.close();
      }
    }
  }

  HintStatistics counts() {
    return advice.counts();
  }

  private <T> T createOrFallBack(
      Path path, short replication, long blockSize, FunctionRaisingIOE<Values, T> creation)
      throws IOException {
    return advice.createOrFallBack(
        absolute(path),
        new Values(replication, blockSize),
        () -> new Values(super.getDefaultReplication(path), super.getDefaultBlockSize(path)),
        creation);
  }

  /** Creates a file; one that its hint treats specially with a client of its own. */
  private FSDataOutputStream createHinted(
      Path path,
      Values values,
      HintedCreate hintedCreate,
      CallableRaisingIOE<FSDataOutputStream> stock)
      throws IOException {
    String name = absolute(path);
    boolean isPinned = isPinning && advice.isPlacedByHint(name);
    DFSClient client =
        DFSUtilClient.isValidName(name) && (isPinned || isOneOrRaised(path, values.replication()))
            ? (values.replication() == 1 ? oneReplicaClient : hintedClient).client()
            : null;
    if (client == null) {
      return stock.apply();
    }
    checkPath(fixRelativePart(path));
    try {
      DFSOutputStream file =
          hintedCreate.create(
              client, name, isPinned ? HintedClient.placeholders(values.replication()) : null);
      statistics.incrementWriteOps(1);
      return wrap(file);
    } catch (UnresolvedLinkException e) {
      // Only the stock call follows links, which may lead to other file systems.
      return stock.apply();
    }
  }

  /** Files with one replica are closed faster, and raised replications may exceed a quota. */
  private boolean isOneOrRaised(Path path, short replication) {
    return (replication == 1 || replication > super.getDefaultReplication(path))
        && advice.isHinted(absolute(path));
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
  private interface HintedCreate {
    DFSOutputStream create(DFSClient client, String name, InetSocketAddress @Nullable [] favoured)
        throws IOException;
  }

  private String absolute(Path path) {
    return fixRelativePart(path).toUri().getPath();
  }
}
