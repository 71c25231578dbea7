package dev.weir.bench.shared;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.process.LogTail;
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

/** A shell on a node that runs one command after another. */
final class NodeShell implements Closeable {
  private static final String STARTED = "started";

  /** Reads commands, a line each, and answers each with its exit code. */
  private static final String LOOP =
      """
      echo started
      while IFS= read -r command; do
        (eval "$command") < /dev/null > /dev/null
        echo $?
      done
      """;

  private static final long CLOSE_SECONDS = 30;

  private final String node;
  private final Path log;
  private final Process shell;
  private final BufferedWriter in;
  private final BufferedReader out;

  /**
   * The commands around those of the shell.
   *
   * @param before prepares the shell; its positional parameters are the arguments
   * @param after is run when the shell is closed
   */
  record Frame(String before, List<String> arguments, String after) {}

  private NodeShell(String node, Path log, Process shell) {
    this.node = node;
    this.log = log;
    this.shell = shell;
    this.in =
        new BufferedWriter(new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.UTF_8));
    this.out =
        new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a shell.
   *
   * @param scratch receives its log
   * @throws IOException if it cannot be prepared; the message has the reason
   */
  static NodeShell start(LocalCluster cluster, String node, Path scratch, Frame frame)
      throws IOException {
    Path log = Files.createDirectories(scratch).resolve("slot-" + node + ".log");
    String script = frame.before() + LOOP + frame.after();
    List<String> argv = new ArrayList<>(List.of("sh", "-c", script, "slot"));
    argv.addAll(frame.arguments());
    NodeShell shell =
        new NodeShell(node, log, cluster.command(node, argv).redirectError(log.toFile()).start());
    if (!STARTED.equals(shell.out.readLine())) {
      shell.close();
      throw new IOException("The shell on " + node + ": " + Files.readString(log).strip());
    }
    return shell;
  }

  String node() {
    return node;
  }

  /**
   * Runs a command to its end.
   *
   * @param command in one line
   * @param name for messages
   * @throws IOException if it fails; the message has the end of the log
   */
  void run(String command, String name) throws IOException {
    in.write(command);
    in.newLine();
    in.flush();
    String code = out.readLine();
    if (!"0".equals(code)) {
      throw new IOException(
          code == null
              ? "The shell on " + node + " has ended in " + name
              : name + " on " + node + " ended with exit code " + code + ": " + LogTail.of(log));
    }
  }

  /** Kills the shell and what it runs, so that {@link #run} fails. */
  void kill() {
    shell.descendants().forEach(ProcessHandle::destroyForcibly);
    shell.destroyForcibly();
  }

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
