package dev.weir.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * An HDFS client that pins all of its new blocks where the NameNode places them, so that the
 * Balancer does not move them. Thread-safe.
 *
 * <p>HDFS pins the replicas that a client writes to its favoured nodes. A client that follows hints
 * has no favoured nodes. Only the NameNode knows the anchors of a group or a region, and it ignores
 * hints for files with favoured nodes. So this client removes the favoured nodes from the request.
 * It then writes the nodes that the NameNode chose into the array of favoured nodes, which Hadoop's
 * client reads when it sets up the pipeline. If a future version of Hadoop copies that array,
 * nothing is pinned and its client logs a line per block.
 */
final class PinningClient implements Closeable {
  /** DataNodes keep pins only if they have this setting too. */
  static final String ENABLED_KEY = "dfs.datanode.block-pinning.enabled";

  /** A placeholder in the array until a node is chosen; never sent to the NameNode. */
  private static final InetSocketAddress NOT_CHOSEN =
      InetSocketAddress.createUnresolved("not-chosen-yet", 0);

  private final DFSClient client;

  /**
   * Creates a client beside another.
   *
   * @param nameNode the other client's connection, which stays open when this is closed
   */
  PinningClient(ClientProtocol nameNode, Configuration conf, FileSystem.Statistics statistics)
      throws IOException {
    client = new DFSClient(null, pinning(nameNode), conf, statistics);
  }

  /** Whether a client's configuration enables pinning; the default is false. */
  static boolean isWanted(Configuration conf) {
    return conf.getBoolean(ENABLED_KEY, false);
  }

  /** The client that creates files; each must be created with {@link #placeholders}. */
  DFSClient client() {
    return client;
  }

  /** The favoured nodes with which to create a file of that replication. */
  static InetSocketAddress[] placeholders(short replication) {
    InetSocketAddress[] placeholders = new InetSocketAddress[Math.max(1, replication)];
    Arrays.fill(placeholders, NOT_CHOSEN);
    return placeholders;
  }

  /** Completes files that are still being written. */
  @Override
  public void close() throws IOException {
    client.close();
  }

  private static ClientProtocol pinning(ClientProtocol nameNode) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            new Handler(nameNode));
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
  private record Handler(ClientProtocol nameNode) implements InvocationHandler, Closeable {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (arguments != null && method.getName().equals("addBlock")) {
        for (int i = 0; i < arguments.length; i++) {
          if (arguments[i] instanceof String[] favoured) {
            Object[] request = arguments.clone();
            request[i] = null;
            Object block = call(method, request);
            recordChosen(favoured, (LocatedBlock) block);
            return block;
          }
        }
      }
      return call(method, arguments);
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
