package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.model.Task;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A shell on a node that mounts the shared directory and runs commands in it. The mount exists in
 * the mount namespace of the shell only.
 */
final class MountedSlot implements FifoDispatcher.Slot, Closeable {
  private static final String MOUNTED = "mounted";

  /** Arguments: the mount point, then those of sshfs. */
  private static final String SHELL =
      """
      mount=$1
      shift
      sshfs "$@" "$mount" < /dev/null || exit 1
      cd "$mount" || exit 1
      echo mounted
      while IFS= read -r command; do
        (eval "$command") < /dev/null > /dev/null
        echo $?
      done
      cd /
      fusermount3 -u "$mount" || umount "$mount"
      """;

  private static final long CLOSE_SECONDS = 30;

  /** Below this share of its inputs, the bytes that a node received are messages, not data. */
  private static final int MESSAGES = 20;

  private final LocalCluster cluster;
  private final String node;
  private final Commands commands;
  private final Process shell;
  private final BufferedWriter in;
  private final BufferedReader out;

  /** The commands of tasks. */
  interface Commands {
    /** Returns the shell command of a task, in one line. */
    String of(Task task);

    /** Returns the bytes of its inputs. */
    long inputBytes(Task task);
  }

  private MountedSlot(LocalCluster cluster, String node, Commands commands, Process shell) {
    this.cluster = cluster;
    this.node = node;
    this.commands = commands;
    this.shell = shell;
    this.in =
        new BufferedWriter(new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.UTF_8));
    this.out =
        new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Mounts the directory on a node.
   *
   * @param scratch receives the mount point and the log
   * @throws IOException if that fails; the message has the reason
   */
  static MountedSlot start(
      LocalCluster cluster, String node, SftpServer server, Path scratch, Commands commands)
      throws IOException {
    Path mount = Files.createDirectories(scratch.resolve("mount-" + node));
    Path log = scratch.resolve("slot-" + node + ".log");
    List<String> argv = new ArrayList<>(List.of("sh", "-c", SHELL, "slot", mount.toString()));
    argv.addAll(server.mountArguments());
    Process shell = cluster.command(node, argv).redirectError(log.toFile()).start();
    MountedSlot slot = new MountedSlot(cluster, node, commands, shell);
    if (!MOUNTED.equals(slot.out.readLine())) {
      slot.close();
      throw new IOException(
          node + " cannot mount the shared directory: " + Files.readString(log).strip());
    }
    return slot;
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public long run(Task task) throws IOException {
    long before = cluster.traffic(node).received();
    in.write(commands.of(task));
    in.newLine();
    in.flush();
    String code = out.readLine();
    if (!"0".equals(code)) {
      throw new IOException(
          code == null
              ? "The shell on " + node + " has ended in task " + task.id()
              : "Task " + task.id() + " on " + node + " ended with exit code " + code);
    }
    long received = cluster.traffic(node).received() - before;
    long inputs = commands.inputBytes(task);
    return received < inputs / MESSAGES ? 0 : Math.min(received, inputs);
  }

  /** Kills the shell and what it runs, so that {@link #run} fails. */
  void kill() {
    shell.descendants().forEach(ProcessHandle::destroyForcibly);
    shell.destroyForcibly();
  }

  /** Unmounts the directory. */
  @Override
  public void close() throws IOException {
    try {
      in.close();
      if (!shell.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    } finally {
      out.close();
    }
  }
}
