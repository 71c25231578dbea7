package dev.weir.workflow.client;

import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IOUtils;

/**
 * Makes the sandbox of a task again on this machine: its inputs, its variables and a script with
 * its command. A difference to a worker's: the command also sees the user's own variables.
 */
public final class TaskSandbox {

  private static final int BUFFER = 1 << 20;

  private final FileSystem fs;
  private final org.apache.hadoop.fs.Path data;
  private final Task task;
  private final Map<String, String> environment;

  /**
   * Creates the sandbox of a task.
   *
   * @param dataDir absolute path of the run's data directory
   */
  TaskSandbox(
      FileSystem fs, String dataDir, String run, Task task, Map<String, String> environment) {
    this.fs = fs;
    this.data = new org.apache.hadoop.fs.Path(dataDir);
    this.task = task;
    this.environment = new TreeMap<>(environment);
    TaskSecrets.variables(environment).forEach(this.environment::remove);
    this.environment.put("LC_ALL", "C.UTF-8");
    this.environment.put("WEIR_RUN", run);
    this.environment.put("WEIR_TASK", task.id());
  }

  /** Returns the variables of the command, without secrets. */
  public Map<String, String> environment() {
    return Map.copyOf(environment);
  }

  /**
   * Creates the working directory {@code work} with the inputs, and the script {@code run.sh}.
   *
   * @param directory their parent, which is created
   * @throws FileAlreadyExistsException if there is such a file
   * @throws FileNotFoundException if an input is not in HDFS; the message is its name
   */
  public Path create(Path directory) throws IOException {
    Path work = directory.toAbsolutePath().normalize().resolve("work");
    if (Files.exists(work) || Files.exists(directory.resolve("run.sh"))) {
      throw new FileAlreadyExistsException(
          directory.toString(),
          null,
          "it has work or run.sh: remove them, or give another directory");
    }
    Files.createDirectories(work);
    for (String input : task.inputs()) {
      List<FileRegion> regions = task.regionsOf(input);
      if (regions.isEmpty()) {
        copy(input, 0, -1, work.resolve(input));
      }
      for (FileRegion region : regions) {
        copy(input, region.offset(), region.length(), work.resolve(region.id()));
      }
    }
    for (String output : task.outputs()) {
      Files.createDirectories(parent(work.resolve(output)));
    }
    Path script = directory.resolve("run.sh");
    Files.writeString(script, script());
    executable(script);
    return work;
  }

  private static void executable(Path file) throws IOException {
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("Cannot make " + file + " executable");
    }
  }

  private static Path parent(Path file) {
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  /** Copies a part of a file; all of it if the length is negative. */
  private void copy(String file, long offset, long length, Path target) throws IOException {
    Files.createDirectories(parent(target));
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(data, file));
        OutputStream out = Files.newOutputStream(target)) {
      in.seek(offset);
      if (length < 0) {
        IOUtils.copyBytes(in, out, BUFFER);
      } else {
        IOUtils.copyBytes(in, out, length, false);
      }
    } catch (FileNotFoundException | EOFException e) {
      Files.deleteIfExists(target);
      FileNotFoundException missing = new FileNotFoundException(file);
      missing.initCause(e);
      throw missing;
    }
    executable(target);
  }

  private String script() {
    List<String> lines = new ArrayList<>();
    lines.add("#!/usr/bin/env bash");
    lines.add("# Runs the command of the task in its sandbox.");
    lines.add("cd \"$(dirname \"$0\")/work\" || exit");
    environment.forEach(
        (name, value) -> lines.add("export " + name + "=" + ShellCommand.quote(value)));
    lines.add(
        "exec "
            + task.command().stream().map(ShellCommand::quote).collect(Collectors.joining(" ")));
    return String.join("\n", lines) + "\n";
  }
}
