package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An SSH server on the master's node that exports a directory by SFTP, with keys of its own. */
final class SftpServer implements StagingServer {
  private static final int PORT = 2222;

  /** The server refuses to start without this directory, which Debian creates at boot. */
  private static final Path PRIVILEGE_SEPARATION = Path.of("/run/sshd");

  /** sshd must be started by an absolute path. */
  private static final String START = "exec \"$(command -v sshd)\" -D -e -f \"$1\"";

  private final Path directory;
  private final NodeInfo node;
  private final ServerProcess server;

  private SftpServer(Path directory, NodeInfo node, ServerProcess server) {
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
    ServerProcess server =
        ServerProcess.start(
            cluster,
            node,
            List.of("sh", "-c", START, "sshd", config.toString()),
            PORT,
            directory.resolve("sshd.log"));
    return new SftpServer(directory, node, server);
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

  @Override
  public Path files() {
    return directory.resolve("export");
  }

  /**
   * Returns the arguments of {@code sshfs} before the mount point. Files that have not changed stay
   * in the node's page cache, as with NFS; the cipher is the one that costs least.
   */
  List<String> mountArguments() {
    return List.of(
        "root@" + node.address() + ":" + files(),
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

  /** Checksums, times and a remote shell would cost further messages. */
  @Override
  public List<String> rcloneOptions() {
    return List.of(
        "--sftp-host=" + node.address(),
        "--sftp-port=" + PORT,
        "--sftp-user=root",
        "--sftp-key-file=" + directory.resolve("user-key"),
        "--sftp-shell-type=none",
        "--sftp-disable-hashcheck",
        "--sftp-set-modtime=false");
  }

  @Override
  public String rcloneRemote() {
    return ":sftp:" + files();
  }

  @Override
  public void close() {
    server.close();
  }
}
