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
 * An HDFS client all of whose new blocks are pinned where the NameNode places them, so that the
 * Balancer leaves them there. For any thread.
 *
 * <p>HDFS pins the replicas that a client writes to its favoured nodes. A client that follows hints
 * favours none: it does not know the anchors of a group or of a region, the NameNode does, and
 * favoured nodes would keep the NameNode from following the hint. So the NameNode is asked without
 * them, and the nodes that it chose are then put where Hadoop looks for the favoured ones when it
 * sets up the pipeline: in the very array that it has passed with the question. Were that array
 * copied by a Hadoop to come, nothing would be pinned and its client would log a line a block.
 */
final class PinningClient implements Closeable {
  /** DataNodes keep pins only where this is true for them, too. */
  static final String ENABLED_KEY = "dfs.datanode.block-pinning.enabled";

  /** Stands in the array until a node is chosen; no NameNode ever sees it. */
  private static final InetSocketAddress NOT_CHOSEN =
      InetSocketAddress.createUnresolved("not-chosen-yet", 0);

  private final DFSClient client;

  /**
   * A client beside another.
   *
   * @param nameNode the other's connection, which stays open when this is closed
   */
  PinningClient(ClientProtocol nameNode, Configuration conf, FileSystem.Statistics statistics)
      throws IOException {
    client = new DFSClient(null, pinning(nameNode), conf, statistics);
  }

  /** Whether a client's configuration asks for it: false where that says nothing. */
  static boolean isWanted(Configuration conf) {
    return conf.getBoolean(ENABLED_KEY, false);
  }

  /** Creates the files; every one of them with {@link #places}. */
  DFSClient client() {
    return client;
  }

  /** What a file with so many replicas is to be created with as its favoured nodes. */
  static InetSocketAddress[] places(short replication) {
    InetSocketAddress[] places = new InetSocketAddress[Math.max(1, replication)];
    Arrays.fill(places, NOT_CHOSEN);
    return places;
  }

  /** Completes the files that are still being written. */
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

  /** Puts what is chosen into the array; names that stand there twice count once. */
  private static void note(String[] favoured, LocatedBlock block) {
    DatanodeInfo[] chosen = block.getLocations();
    if (block.isStriped() || chosen.length == 0) {
      return;
    }
    for (int i = 0; i < favoured.length; i++) {
      favoured[i] = chosen[Math.min(i, chosen.length - 1)].getXferAddrWithHostname();
    }
  }

  /** Closing it closes nothing, which is all that {@link DFSClient#close} needs. */
  private record Handler(ClientProtocol nameNode) implements InvocationHandler, Closeable {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (arguments != null && method.getName().equals("addBlock")) {
        for (int i = 0; i < arguments.length; i++) {
          if (arguments[i] instanceof String[] favoured) {
            Object[] asked = arguments.clone();
            asked[i] = null;
            Object block = call(method, asked);
            note(favoured, (LocatedBlock) block);
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
      // The connection is the other client's.
    }
  }
}
