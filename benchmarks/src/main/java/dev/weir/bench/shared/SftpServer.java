package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An SSH server on the master's node that exports a directory by SFTP, with keys of its own. */
final class SftpServer implements AutoCloseable {
  private static final int PORT = 2222;
  private static final long START_MILLIS = 30_000;
  private static final long POLL_MILLIS = 50;

  /** The server refuses to start without this directory, which Debian creates at boot. */
  private static final Path PRIVILEGE_SEPARATION = Path.of("/run/sshd");

  /** sshd must be started by an absolute path. */
  private static final String START = "exec \"$(command -v sshd)\" -D -e -f \"$1\"";

  private final Path directory;
  private final NodeInfo node;
  private final Process server;

  private SftpServer(Path directory, NodeInfo node, Process server) {
    this.directory = directory;
    this.node = node;
    this.server = server;
  }

  /**
   * Starts the server and waits until it answers.
   *
   * @param directory receives its keys, its log and the exported directory
   */
  static SftpServer start(LocalCluster cluster, Path directory)
      throws IOException, InterruptedException {
    Files.createDirectories(directory.resolve("export"));
    Files.createDirectories(PRIVILEGE_SEPARATION);
    createKey(directory.resolve("host-key"));
    createKey(directory.resolve("user-key"));
    NodeInfo node = cluster.master();
    Path config = Files.writeString(directory.resolve("sshd_config"), config(directory, node));
    Process server =
        cluster
            .command(node.name(), List.of("sh", "-c", START, "sshd", config.toString()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("sshd.log").toFile())
            .start();
    SftpServer started = new SftpServer(directory, node, server);
    started.awaitAnswer();
    return started;
  }

  private static String config(Path directory, NodeInfo node) {
    return String.join(
        "\n",
        "Port " + PORT,
        "ListenAddress " + node.address(),
        "HostKey " + directory.resolve("host-key"),
        "AuthorizedKeysFile " + directory.resolve("user-key.pub"),
        "PasswordAuthentication no",
        "KbdInteractiveAuthentication no",
        "UsePAM no",
        "StrictModes no",
        "PermitRootLogin prohibit-password",
        "MaxStartups 1000",
        "PidFile none",
        "Subsystem sftp internal-sftp",
        "");
  }

  private static void createKey(Path file) throws IOException, InterruptedException {
    Files.deleteIfExists(file);
    int code =
        new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("ssh-keygen ended with exit code " + code);
    }
  }

  private void awaitAnswer() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (true) {
      try {
        new Socket(node.address(), PORT).close();
        return;
      } catch (IOException e) {
        if (!server.isAlive() || System.nanoTime() > end) {
          close();
          throw new IOException(
              "The SSH server on "
                  + node.address()
                  + " does not answer: "
                  + Files.readString(directory.resolve("sshd.log")).strip(),
              e);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }

  /** Returns the exported directory, as the server has it. */
  Path export() {
    return directory.resolve("export");
  }

  /** Returns the name of the server's node. */
  String nodeName() {
    return node.name();
  }

  /**
   * Returns the arguments of {@code sshfs} before the mount point. Files that have not changed stay
   * in the node's page cache, as with NFS; the cipher is the one that costs least.
   */
  List<String> mountArguments() {
    return List.of(
        "root@" + node.address() + ":" + export(),
        "-p",
        Integer.toString(PORT),
        "-F",
        "/dev/null",
        "-o",
        "auto_cache",
        "-o",
        "BatchMode=yes,StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null,LogLevel=ERROR",
        "-o",
        "Ciphers=aes128-gcm@openssh.com,IdentityFile=" + directory.resolve("user-key"));
  }

  @Override
  public void close() {
    server.destroy();
  }
}
