package dev.weir.montage;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a workflow on the local disk, one task after another, without Hadoop: what every other run
 * must agree with. Each task gets a directory with links to its declared inputs and nothing else;
 * its declared outputs are moved out of it.
 */
public final class SequentialRun {

  private static final int TAIL = 2000;

  private final Path data;
  private final Path sandboxes;
  private final Map<String, String> environment;

  /**
   * Makes a run.
   *
   * @param data holds the inputs of the workflow and receives its outputs
   * @param sandboxes an empty or absent directory on the same disk, for the tasks to run in
   * @param environment what the programs get as theirs
   */
  public SequentialRun(Path data, Path sandboxes, Map<String, String> environment) {
    this.data = data.toAbsolutePath();
    this.sandboxes = sandboxes.toAbsolutePath();
    this.environment = Map.copyOf(environment);
  }

  /**
   * Runs all tasks.
   *
   * @param started hears of every task just before it runs, on the calling thread
   * @throws IOException when a task fails or does not write what it declares; the message holds its
   *     command, exit code and the end of its output
   * @throws InterruptedException when the thread is interrupted; the running program is ended first
   */
  public void run(Workflow workflow, Consumer<Task> started)
      throws IOException, InterruptedException {
    for (Task task : workflow.graph().topologicalOrder()) {
      started.accept(task);
      run(task);
    }
  }

  private void run(Task task) throws IOException, InterruptedException {
    Path sandbox = sandboxes.resolve(task.id());
    Files.createDirectories(sandbox);
    for (String input : task.inputs()) {
      Path link = sandbox.resolve(input);
      Files.createDirectories(link.getParent());
      Files.createSymbolicLink(link, data.resolve(input));
    }
    Path log = sandboxes.resolve(task.id() + ".log");
    int exitCode = execute(task, sandbox, log);
    if (exitCode != 0) {
      throw failure(task, "exited with " + exitCode, log);
    }
    for (String output : task.outputs()) {
      Path made = sandbox.resolve(output);
      if (!Files.isRegularFile(made)) {
        throw failure(task, "exited with 0 but did not write " + output, log);
      }
      Path kept = data.resolve(output);
      Files.createDirectories(kept.getParent());
      Files.move(made, kept, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private int execute(Task task, Path sandbox, Path log) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(task.command())
            .directory(sandbox.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      return process.waitFor();
    } catch (InterruptedException | IOException e) {
      process.destroy();
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      throw e;
    }
  }

  private static IOException failure(Task task, String what, Path log) throws IOException {
    String output = Files.readString(log, StandardCharsets.ISO_8859_1).strip();
    String tail = output.substring(Math.max(0, output.length() - TAIL));
    return new IOException(
        "Task " + task.id() + " " + what + ": " + String.join(" ", task.command()) + "\n" + tail);
  }
}
