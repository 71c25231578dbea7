package dev.weir.workflow.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Predicate;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether a DataNode answers, by connecting to its data transfer port. */
public final class DataNodeProbe implements Predicate<String> {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeProbe.class);
  private static final int CONNECT_MILLIS = 3_000;
  private static final int TRIES = 2;

  @Override
  public boolean test(String address) {
    InetSocketAddress target = NetUtils.createSocketAddr(address);
    for (int i = 0; i < TRIES; i++) {
      try (Socket socket = new Socket()) {
        socket.connect(target, CONNECT_MILLIS);
        return true;
      } catch (IOException e) {
        LOG.info("The DataNode at {} does not answer: {}", address, e.toString());
      }
    }
    return false;
  }
}
