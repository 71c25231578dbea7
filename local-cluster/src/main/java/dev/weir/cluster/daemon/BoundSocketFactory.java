package dev.weir.cluster.daemon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.StandardSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Binds the connections of a node to the node's loopback address. HDFS locates a client by the
 * address of its connection, which would otherwise be 127.0.0.1 for every node.
 */
public final class BoundSocketFactory extends StandardSocketFactory implements Configurable {
  /** The address to bind to. If it is absent, the kernel chooses. */
  public static final String ADDRESS = "dev.weir.cluster.bind-address";

  private @Nullable Configuration conf;
  private String address = "";

  @Override
  public void setConf(@Nullable Configuration newConf) {
    conf = newConf;
    address = newConf == null ? "" : newConf.getTrimmed(ADDRESS, "");
  }

  @Override
  public @Nullable Configuration getConf() {
    return conf;
  }

  @Override
  public Socket createSocket() throws IOException {
    Socket socket = super.createSocket();
    if (!address.isEmpty()) {
      socket.bind(new InetSocketAddress(address, 0));
    }
    return socket;
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    Socket socket = SocketChannel.open().socket();
    socket.bind(new InetSocketAddress(local, localPort));
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(InetAddress.getByName(host), port, local, localPort);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BoundSocketFactory
        && ((BoundSocketFactory) other).address.equals(address);
  }

  @Override
  public int hashCode() {
    return Objects.hash(BoundSocketFactory.class, address);
  }
}
