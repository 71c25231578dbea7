package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A shell on a node that mounts the shared directory and runs commands in it. The mount exists in
 * the mount namespace of the shell only.
 */
final class MountedSlot implements NodeSlot {
  /** Arguments: the mount point, then those of sshfs. */
  private static final String MOUNT =
      """
      mount=$1
      shift
      sshfs "$@" "$mount" < /dev/null || exit 1
      cd "$mount" || exit 1
      """;

  private static final String UNMOUNT =
      """
      cd /
      fusermount3 -u "$mount" || umount "$mount"
      """;

  /** Below this share of its inputs, the bytes that a node received are messages, not data. */
  private static final int MESSAGES = 20;

  private final LocalCluster cluster;
  private final ShellCommands commands;
  private final NodeShell shell;

  private MountedSlot(LocalCluster cluster, ShellCommands commands, NodeShell shell) {
    this.cluster = cluster;
    this.commands = commands;
    this.shell = shell;
  }

  /**
   * Mounts the directory on a node.
   *
   * @param scratch receives the mount point and the log
   * @throws IOException if that fails; the message has the reason
   */
  static MountedSlot start(
      LocalCluster cluster, String node, SftpServer server, Path scratch, ShellCommands commands)
      throws IOException {
    Path mount = Files.createDirectories(scratch.resolve("mount-" + node));
    List<String> arguments = new ArrayList<>(List.of(mount.toString()));
    arguments.addAll(server.mountArguments());
    return new MountedSlot(
        cluster,
        commands,
        NodeShell.start(cluster, node, scratch, new NodeShell.Frame(MOUNT, arguments, UNMOUNT)));
  }

  @Override
  public String node() {
    return shell.node();
  }

  @Override
  public FifoDispatcher.Transfers run(Task task) throws IOException {
    long before = cluster.traffic(node()).received();
    shell.run(commands.of(task), "Task " + task.id());
    long received = cluster.traffic(node()).received() - before;
    long inputs = commands.inputBytes(task);
    return FifoDispatcher.Transfers.ofMount(
        received < inputs / MESSAGES ? 0 : Math.min(received, inputs));
  }

  @Override
  public void kill() {
    shell.kill();
  }

  /** Unmounts the directory. */
  @Override
  public void close() throws IOException {
    shell.close();
  }
}
