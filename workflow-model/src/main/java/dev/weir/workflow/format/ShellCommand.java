package dev.weir.workflow.format;

import dev.weir.workflow.model.FileIds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A shell command with the features of its format: environment variables, files that are renamed in
 * the sandbox, and programs among the inputs. All of them become part of the command, so that a
 * converted workflow keeps them. Not thread-safe.
 */
public final class ShellCommand {

  /** The shell that runs the line, the same as in Makeflow. */
  public static final String SHELL = "/bin/sh";

  private final String line;
  private final Map<String, String> variables = new TreeMap<>();

  /** Names of inputs in the workflow, by their names in the sandbox. */
  private final Map<String, String> inputNames = new LinkedHashMap<>();

  /** Names of outputs in the sandbox, by their names in the workflow. */
  private final Map<String, String> outputNames = new LinkedHashMap<>();

  private final List<String> programs = new ArrayList<>();

  public ShellCommand(String line) {
    this.line = line;
  }

  /** Sets environment variables. */
  public ShellCommand export(Map<String, String> values) {
    variables.putAll(values);
    return this;
  }

  /**
   * Adds an input with its name in the sandbox. Both names are simplified. An input may have
   * several names.
   */
  public ShellCommand input(String name, String sandboxName) {
    if (!name.equals(sandboxName)) {
      inputNames.put(sandboxName, name);
    }
    noteProgram(name, sandboxName);
    return this;
  }

  /** Adds an output with its name in the sandbox. Both names are simplified. */
  public ShellCommand output(String name, String sandboxName) {
    if (!name.equals(sandboxName)) {
      outputNames.put(name, sandboxName);
    }
    return this;
  }

  /** Notes an input that the line executes. Inputs lack the execute permission. */
  private void noteProgram(String name, String sandboxName) {
    for (String word : line.split("[\\s;|&()<>\"'`]+", -1)) {
      boolean path = word.startsWith("./") || (line.strip().startsWith(word) && isBelow(word));
      if (path && FileIds.simplify(word).equals(sandboxName)) {
        programs.add(name);
        return;
      }
    }
  }

  private static boolean isBelow(String word) {
    return word.indexOf('/') > 0;
  }

  /**
   * Returns the command to start.
   *
   * @return the shell, its option and the script; the script is the unchanged line if there are no
   *     features
   */
  public List<String> argv() {
    StringBuilder script = new StringBuilder();
    variables.forEach(
        (name, value) ->
            script.append("export ").append(name).append('=').append(quote(value)).append('\n'));
    for (String program : programs) {
      script.append("chmod +x ").append(path(program)).append(" || exit\n");
    }
    inputNames.forEach(
        (other, name) -> {
          makeDirectory(script, other);
          script.append("ln -s \"$PWD\"/").append(quote(name)).append(' ').append(path(other));
          script.append(" || exit\n");
        });
    outputNames.values().forEach(other -> makeDirectory(script, other));
    if (outputNames.isEmpty()) {
      script.append(line);
      return List.of(SHELL, "-c", script.toString());
    }
    script.append("(\n").append(line).append("\n) || exit\n");
    outputNames.forEach(
        (name, other) -> {
          makeDirectory(script, name);
          script.append("mv ").append(path(other)).append(' ').append(path(name));
          script.append(" || exit\n");
        });
    return List.of(SHELL, "-c", script.toString());
  }

  private static void makeDirectory(StringBuilder script, String file) {
    int slash = file.lastIndexOf('/');
    if (slash > 0) {
      script.append("mkdir -p ").append(path(file.substring(0, slash))).append(" || exit\n");
    }
  }

  /** Quotes a path so that no program takes it for an option. */
  private static String path(String name) {
    return quote(name.startsWith("-") ? "./" + name : name);
  }

  /**
   * Quotes a word for a shell.
   *
   * @param word any text
   * @return the unchanged word if it contains no special characters
   */
  public static String quote(String word) {
    return word.matches("[A-Za-z0-9_./+=:@%^,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
