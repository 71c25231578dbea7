package dev.weir.it;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** The machine on which tests run. */
public final class ThisMachine {
  private ThisMachine() {}

  /** Returns an address of this machine that the nodes of a cluster reach. */
  public static String address(LocalCluster cluster) throws IOException {
    String node = cluster.nodes().get(0).address();
    String network = node.substring(0, node.lastIndexOf('.') + 1);
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .map(InetAddress::getHostAddress)
        .filter(address -> address.startsWith(network))
        .findFirst()
        .orElse("127.0.0.1");
  }
}
