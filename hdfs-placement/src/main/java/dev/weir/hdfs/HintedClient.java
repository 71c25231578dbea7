package dev.weir.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HDFS client for files that hints pin or whose replication hints raise. Thread-safe.
 *
 * <p>It pins the blocks of files that were created with {@link #placeholders} where the NameNode
 * places them, so that the Balancer does not move them. HDFS pins the replicas that a client writes
 * to its favoured nodes. A client that follows hints has no favoured nodes. Only the NameNode knows
 * the anchors of a group or a region, and it ignores hints for files with favoured nodes. So this
 * client removes the favoured nodes from the request. It then writes the nodes that the NameNode
 * chose into the array of favoured nodes, which Hadoop's client reads when it sets up the pipeline.
 * If a future version of Hadoop copies that array, nothing is pinned and its client logs a line per
 * block.
 *
 * <p>If a quota has no room for a block, it lowers the file's replication to the writer's own and
 * requests the block again.
 */
final class HintedClient implements Closeable {
  /** DataNodes keep pins only if they have this setting too. */
  static final String PINNING_KEY = "dfs.datanode.block-pinning.enabled";

  /** A placeholder in the array until a node is chosen; never sent to the NameNode. */
  private static final InetSocketAddress NOT_CHOSEN =
      InetSocketAddress.createUnresolved("not-chosen-yet", 0);

  private static final Set<String> QUOTA_REFUSALS =
      Set.of(
          DSQuotaExceededException.class.getName(),
          QuotaByStorageTypeExceededException.class.getName());

  private static final Logger LOG = LoggerFactory.getLogger(HintedClient.class);

  private final CallableRaisingIOE<DFSClient> opener;
  private @Nullable DFSClient client;
  private boolean disabled;

  /** Creates a client that is opened with the first file. */
  HintedClient(CallableRaisingIOE<DFSClient> opener) {
    this.opener = opener;
  }

  /** No client: all files are created as in stock HDFS. */
  static HintedClient none() {
    HintedClient none =
        new HintedClient(
            () -> {
              throw new IllegalStateException("there is no client");
            });
    none.disabled = true;
    return none;
  }

  /**
   * Opens a client beside another.
   *
   * @param nameNode the other client's connection, which stays open when this is closed
   */
  static DFSClient open(
      ClientProtocol nameNode,
      Configuration conf,
      FileSystem.Statistics statistics,
      OwnReplication ownReplication)
      throws IOException {
    return new DFSClient(null, proxy(nameNode, ownReplication), conf, statistics);
  }

  /** Finds the replication that the writer of a file would have chosen without hints. */
  @FunctionalInterface
  interface OwnReplication {
    /**
     * The writer's own replication.
     *
     * @param path absolute, without scheme
     * @param present the file's replication, which is the result if no hint raised it
     */
    short of(String path, short present);
  }

  /** Whether a client's configuration enables pinning; the default is false. */
  static boolean isPinningWanted(Configuration conf) {
    return conf.getBoolean(PINNING_KEY, false);
  }

  /** The client that creates files; null if it could not be opened. */
  synchronized @Nullable DFSClient client() {
    if (client == null && !disabled) {
      try {
        client = opener.apply();
      } catch (IOException | RuntimeException | LinkageError e) {
        disabled = true;
        LOG.warn(
            "Cannot write hinted files separately: the Balancer may move their blocks, and a quota"
                + " may refuse the replicas that hints add",
            e);
      }
    }
    return client;
  }

  /** The favoured nodes with which to create a file of that replication that is to be pinned. */
  static InetSocketAddress[] placeholders(short replication) {
    InetSocketAddress[] placeholders = new InetSocketAddress[Math.max(1, replication)];
    Arrays.fill(placeholders, NOT_CHOSEN);
    return placeholders;
  }

  /** Completes files that are still being written. */
  @Override
  public synchronized void close() throws IOException {
    disabled = true;
    if (client != null) {
      client.close();
    }
  }

  private static ClientProtocol proxy(ClientProtocol nameNode, OwnReplication ownReplication) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            new Handler(nameNode, ownReplication));
  }

  /**
   * Writes the chosen nodes into the array. The last is repeated if there are fewer nodes than
   * places.
   */
  private static void recordChosen(String[] favoured, LocatedBlock block) {
    DatanodeInfo[] chosen = block.getLocations();
    if (block.isStriped() || chosen.length == 0) {
      return;
    }
    for (int i = 0; i < favoured.length; i++) {
      favoured[i] = chosen[Math.min(i, chosen.length - 1)].getXferAddrWithHostname();
    }
  }

  /** Closing it has no effect, which is what {@link DFSClient#close} needs here. */
  private record Handler(ClientProtocol nameNode, OwnReplication ownReplication)
      implements InvocationHandler, Closeable {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      return arguments != null && method.getName().equals("addBlock")
          ? addBlock(method, arguments)
          : call(method, arguments);
    }

    private @Nullable Object addBlock(Method method, Object[] arguments) throws Throwable {
      for (int i = 0; i < arguments.length; i++) {
        if (arguments[i] instanceof String[] favoured) {
          Object[] request = arguments.clone();
          request[i] = null;
          Object block = addBlockWithinQuota(method, request);
          recordChosen(favoured, (LocatedBlock) block);
          return block;
        }
      }
      return addBlockWithinQuota(method, arguments);
    }

    private Object addBlockWithinQuota(Method method, Object[] request) throws Throwable {
      try {
        return call(method, request);
      } catch (RemoteException e) {
        if (QUOTA_REFUSALS.contains(e.getClassName()) && lower((String) request[0])) {
          return call(method, request);
        }
        throw e;
      }
    }

    /** Lowers the replication of a file to its writer's own; false if no hint raised it. */
    private boolean lower(String path) throws IOException {
      HdfsFileStatus file = nameNode.getFileInfo(path);
      if (file == null) {
        return false;
      }
      short own = ownReplication.of(path, file.getReplication());
      return own < file.getReplication() && nameNode.setReplication(path, own);
    }

    private Object call(Method method, Object @Nullable [] arguments) throws Throwable {
      try {
        return method.invoke(nameNode, arguments);
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }

    @Override
    public void close() {
      // The connection belongs to the other client.
    }
  }
}
