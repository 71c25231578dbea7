package dev.weir.bench.shared;

import dev.weir.bench.comparison.ForeignSystem;
import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.model.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A slot that gives each task an empty directory on its node. One process of rclone copies all
 * inputs from the server, and after the command another one copies all outputs to it.
 */
final class StagedSlot implements NodeSlot {
  /** With this variable rclone's S3 client refuses to start. */
  private static final String PREPARE = "unset AWS_CA_BUNDLE\n";

  private final NodeShell shell;
  private final Path directory;
  private final Staging staging;
  private final ShellCommands commands;
  private final Clock clock;

  /**
   * How files are copied.
   *
   * @param parallel transfers at a time
   */
  record Staging(StagingServer server, int parallel) {
    /** Returns the shell command that copies the files of a list. */
    private String copy(Path list, String from, String to) {
      return Stream.of(
              Stream.of("rclone", "copy", "--config=/dev/null", "--retries=1"),
              Stream.of("--no-check-dest", "--no-traverse", "--ignore-checksum"),
              Stream.of("--transfers=" + parallel, "--checkers=" + parallel),
              server.rcloneOptions().stream(),
              Stream.of("--files-from-raw=" + list, from, to))
          .flatMap(words -> words)
          .map(ShellCommand::quote)
          .collect(Collectors.joining(" "));
    }
  }

  private StagedSlot(
      NodeShell shell, Path directory, Staging staging, ShellCommands commands, Clock clock) {
    this.shell = shell;
    this.directory = directory;
    this.staging = staging;
    this.commands = commands;
    this.clock = clock;
  }

  /**
   * Starts a slot.
   *
   * @param scratch receives the directory of its tasks, and its log
   */
  static NodeSlot start(
      ForeignSystem.Site site, String node, Path scratch, Staging staging, ShellCommands commands)
      throws IOException {
    NodeShell.Frame frame = new NodeShell.Frame(PREPARE, List.of(), "");
    return new StagedSlot(
        NodeShell.start(site.cluster(), node, scratch, frame),
        Files.createDirectories(scratch.resolve("tasks-" + node)),
        staging,
        commands,
        site.clock());
  }

  @Override
  public String node() {
    return shell.node();
  }

  @Override
  public FifoDispatcher.Transfers run(Task task) throws IOException {
    String name = "Task " + task.id();
    Path work = directory.resolve("work");
    FileUtils.deleteDirectory(work.toFile());
    Files.createDirectories(work);
    for (String output : task.outputs()) {
      Files.createDirectories(work.resolve(output).getParent());
    }
    Path command = Files.writeString(directory.resolve("command"), commands.of(task));
    String remote = staging.server().rcloneRemote();
    Instant begun = clock.instant();
    copy(task.inputs(), remote, work.toString(), name + ", stage-in");
    Instant staged = clock.instant();
    shell.run("cd " + quoted(work) + " && . " + quoted(command), name);
    Instant ran = clock.instant();
    copy(task.outputs(), work.toString(), remote, name + ", stage-out");
    return new FifoDispatcher.Transfers(
        commands.inputBytes(task),
        Duration.between(begun, staged),
        Duration.between(ran, clock.instant()));
  }

  private static String quoted(Path file) {
    return ShellCommand.quote(file.toString());
  }

  private void copy(List<String> files, String from, String to, String name) throws IOException {
    if (!files.isEmpty()) {
      shell.run(staging.copy(Files.write(directory.resolve("files"), files), from, to), name);
    }
  }

  @Override
  public void kill() {
    shell.kill();
  }

  @Override
  public void close() throws IOException {
    shell.close();
  }
}
