package dev.weir.service.zk;

import dev.weir.hints.HintSettings;
import dev.weir.hints.StoreAccess;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
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
 * One ZooKeeper server inside this process, for a cluster that has none. Its data are in a
 * directory and survive a restart. While this process does not run, hints cannot be changed; an
 * ensemble avoids that.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  public static final int DEFAULT_PORT = 2181;

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
  private static final int TICK_MILLIS = 2000;
  private static final int UNLIMITED_CLIENTS = 0;
  private static final int SNAPSHOTS_KEPT = 3;
  private static final int PURGE_HOURS = 1;
  private static final int PASSWORD_BYTES = 16;

  private final FileChannel lock;
  private final ZooKeeperServer server;
  private final ServerCnxnFactory connections;
  private final DatadirCleanupManager purge;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedZooKeeper(
      FileChannel lock,
      ZooKeeperServer server,
      ServerCnxnFactory connections,
      DatadirCleanupManager purge) {
    this.lock = lock;
    this.server = server;
    this.connections = connections;
    this.purge = purge;
  }

  /**
   * Starts a server on the port that {@value HintSettings#QUORUM_KEY} names, which all NameNodes
   * and clients use too. If the key is empty, the port is {@value #DEFAULT_PORT} and the key is set
   * to it. If hints are not open and the configuration has no credentials, the service gets some
   * that only it can read.
   *
   * @param directory the data directory; created if missing
   * @param configuration of this process
   * @throws IOException if it cannot be started; the message says what to do
   */
  public static EmbeddedZooKeeper start(Path directory, Configuration configuration)
      throws IOException {
    String quorum = configuration.getTrimmed(HintSettings.QUORUM_KEY, "");
    EmbeddedZooKeeper started = start(directory, quorum.isEmpty() ? DEFAULT_PORT : portOf(quorum));
    if (quorum.isEmpty()) {
      configuration.set(HintSettings.QUORUM_KEY, "localhost:" + started.port());
    }
    StoreAccess access = StoreAccess.from(configuration);
    if (!access.isOpen() && access.auth().isEmpty()) {
      configuration.set(StoreAccess.AUTH_KEY, "@" + credentials(directory));
    }
    return started;
  }

  /** The file with the credentials, which is written at the first start. */
  private static Path credentials(Path directory) throws IOException {
    Path file = directory.resolve("weir.credentials");
    if (Files.notExists(file)) {
      Path fresh =
          Files.createTempFile(
              directory,
              "weir",
              ".tmp",
              PosixFilePermissions.asFileAttribute(
                  EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
      byte[] password = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(password);
      Files.writeString(fresh, "weir:" + HexFormat.of().formatHex(password) + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }

  /**
   * Starts a server.
   *
   * @param directory the data directory; created if missing
   * @param port the port on all addresses; 0 for any free one
   * @throws IOException if it cannot be started; the message says what to do
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

  public int port() {
    return connections.getLocalPort();
  }

  /** Stops the server. The data stay. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    purge.shutdown();
    connections.shutdown();
    try (lock) {
      server.getZKDatabase().close();
      LOG.info("The embedded ZooKeeper has stopped");
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
              + "', and an embedded ZooKeeper is one; name only this host, or leave"
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
          "ZooKeeper's data cannot be stored in "
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
      connections = ServerCnxnFactory.createFactory(port, UNLIMITED_CLIENTS);
    } catch (IOException e) {
      throw new IOException(
          "the embedded ZooKeeper cannot listen on port "
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
      throw new IOException("interrupted during the start of the embedded ZooKeeper", e);
    }
    DatadirCleanupManager purge =
        new DatadirCleanupManager(directory, directory, SNAPSHOTS_KEPT, PURGE_HOURS);
    purge.start();
    LOG.info("ZooKeeper inside this process on port {}, data in {}", port, directory);
    return new EmbeddedZooKeeper(lock, server, connections, purge);
  }
}
