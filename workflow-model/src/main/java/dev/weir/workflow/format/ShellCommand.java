package dev.weir.workflow.format;

import dev.weir.workflow.model.FileIds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A line for a shell, with what its format lets happen around it: variables, files that have other
 * names in the sandbox than in the workflow, programs among the inputs. All of it becomes part of
 * the command, so that a converted workflow has it, too. Not thread-safe.
 */
public final class ShellCommand {

  /** What runs the line, as makeflow does it. */
  public static final String SHELL = "/bin/sh";

  private final String line;
  private final Map<String, String> variables = new TreeMap<>();

  /** What inputs are called in the workflow, by what they are called in the sandbox. */
  private final Map<String, String> inputNames = new LinkedHashMap<>();

  /** What outputs are called in the sandbox, by what they are called in the workflow. */
  private final Map<String, String> outputNames = new LinkedHashMap<>();

  private final List<String> programs = new ArrayList<>();

  /**
   * A command.
   *
   * @param line what the shell is to run
   */
  public ShellCommand(String line) {
    this.line = line;
  }

  /** Sets variables of its environment. */
  public ShellCommand export(Map<String, String> values) {
    variables.putAll(values);
    return this;
  }

  /** Gives an input another name in the sandbox, or one more; both in their normal form. */
  public ShellCommand input(String name, String sandboxName) {
    if (!name.equals(sandboxName)) {
      inputNames.put(sandboxName, name);
    }
    noteProgram(name, sandboxName);
    return this;
  }

  /** Takes an output from another name in the sandbox; both in their normal form. */
  public ShellCommand output(String name, String sandboxName) {
    if (!name.equals(sandboxName)) {
      outputNames.put(name, sandboxName);
    }
    return this;
  }

  /** Inputs come without the permission to be executed. */
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
   * What to start.
   *
   * @return the shell, its option and the script; the script is the line where nothing is added
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

  /** A path that no program takes for an option. */
  private static String path(String name) {
    return quote(name.startsWith("-") ? "./" + name : name);
  }

  /**
   * Quotes a word for a shell.
   *
   * @param word any text
   * @return the word as it is where it holds nothing that a shell would read
   */
  public static String quote(String word) {
    return word.matches("[A-Za-z0-9_./+=:@%^-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
