package dev.weir.service.zk;

import dev.weir.hints.HintSettings;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ZooKeeper server inside this process, for a cluster that has none: the data are kept in a
 * directory and are there again after a restart. While this process is away, so are the hints'
 * changes; who needs more runs an ensemble.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  /** Where ZooKeeper listens unless told otherwise. */
  public static final int DEFAULT_PORT = 2181;

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
  private static final int TICK_MILLIS = 2000;
  private static final int UNLIMITED = 0;
  private static final int SNAPSHOTS_KEPT = 3;
  private static final int PURGE_HOURS = 1;

  private final FileChannel lock;
  private final ZooKeeperServer server;
  private final ServerCnxnFactory connections;
  private final DatadirCleanupManager cleaning;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedZooKeeper(
      FileChannel lock,
      ZooKeeperServer server,
      ServerCnxnFactory connections,
      DatadirCleanupManager cleaning) {
    this.lock = lock;
    this.server = server;
    this.connections = connections;
    this.cleaning = cleaning;
  }

  /**
   * Starts one at the port that {@value HintSettings#QUORUM_KEY} names, which all NameNodes and
   * clients have as well; at {@value #DEFAULT_PORT}, and with the key set to that, when it is
   * empty.
   *
   * @param directory keeps the data; made when it is not there
   * @param configuration of this process
   * @throws IOException when it cannot be started; the message says what to do
   */
  public static EmbeddedZooKeeper start(Path directory, Configuration configuration)
      throws IOException {
    String quorum = configuration.getTrimmed(HintSettings.QUORUM_KEY, "");
    EmbeddedZooKeeper started = start(directory, quorum.isEmpty() ? DEFAULT_PORT : portOf(quorum));
    if (quorum.isEmpty()) {
      configuration.set(HintSettings.QUORUM_KEY, "localhost:" + started.port());
    }
    return started;
  }

  /**
   * Starts one.
   *
   * @param directory keeps the data; made when it is not there
   * @param port where it listens, on all addresses; 0 for any that is free
   * @throws IOException when it cannot be started; the message says what to do
   */
  public static EmbeddedZooKeeper start(Path directory, int port) throws IOException {
    FileChannel lock = lock(directory);
    try {
      return serve(lock, directory.toFile(), port);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Where it listens. */
  public int port() {
    return connections.getLocalPort();
  }

  /** Ends it; the data stay. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    cleaning.shutdown();
    connections.shutdown();
    try (FileChannel released = lock) {
      server.getZKDatabase().close();
      LOG.info("The embedded ZooKeeper ended, lock {} is released", released);
    } catch (IOException e) {
      LOG.warn("The embedded ZooKeeper did not close its files", e);
    }
  }

  private static int portOf(String quorum) throws IOException {
    List<InetSocketAddress> servers;
    try {
      servers = new ConnectStringParser(quorum).getServerAddresses();
    } catch (IllegalArgumentException e) {
      throw new IOException(HintSettings.QUORUM_KEY + " is '" + quorum + "'; write host:port", e);
    }
    if (servers.size() != 1) {
      throw new IOException(
          HintSettings.QUORUM_KEY
              + " names "
              + servers.size()
              + " servers, '"
              + quorum
              + "', and an embedded ZooKeeper is one; name only this host there, or leave"
              + " --embedded-zookeeper out");
    }
    return servers.get(0).getPort();
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel;
    try {
      Files.createDirectories(directory);
      channel =
          FileChannel.open(
              directory.resolve("weir.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new IOException(
          "ZooKeeper's data cannot be kept in "
              + directory
              + " ("
              + e
              + "); give a directory that "
              + System.getProperty("user.name")
              + " can write",
          e);
    }
    if (!isLocked(channel)) {
      channel.close();
      throw new IOException(
          "directory "
              + directory
              + " is in use by another embedded ZooKeeper; stop that or give another directory");
    }
    return channel;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      LOG.debug("Locked by this process itself", e);
      return false;
    }
  }

  private static EmbeddedZooKeeper serve(FileChannel lock, File directory, int port)
      throws IOException {
    ServerCnxnFactory connections;
    try {
      connections = ServerCnxnFactory.createFactory(port, UNLIMITED);
    } catch (IOException e) {
      throw new IOException(
          "the embedded ZooKeeper cannot listen at port "
              + port
              + " ("
              + e.getMessage()
              + "); stop what listens there, or name another port in "
              + HintSettings.QUORUM_KEY,
          e);
    }
    ZooKeeperServer server;
    try {
      server = new ZooKeeperServer(directory, directory, TICK_MILLIS);
      connections.startup(server);
    } catch (IOException | RuntimeException e) {
      connections.shutdown();
      throw new IOException(
          "ZooKeeper cannot read its data in " + directory + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      connections.shutdown();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the embedded ZooKeeper was started", e);
    }
    DatadirCleanupManager cleaning =
        new DatadirCleanupManager(directory, directory, SNAPSHOTS_KEPT, PURGE_HOURS);
    cleaning.start();
    LOG.info("ZooKeeper inside this process at port {}, data in {}", port, directory);
    return new EmbeddedZooKeeper(lock, server, connections, cleaning);
  }
}
