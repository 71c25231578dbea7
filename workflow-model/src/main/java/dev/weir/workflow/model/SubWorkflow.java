package dev.weir.workflow.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command of a task that stands for another workflow, its sub-workflow. No worker runs it: the
 * tasks of the sub-workflow make its outputs. Its words are {@value #PROGRAM}, the file, and
 * options of the form {@code name=value}.
 *
 * @param file id of the file with the workflow; an input of the task
 * @param definitions JX expressions by the name that a workflow in JX refers to
 * @param depth how many sub-workflows enclose the workflow of the task
 * @param expanded whether the workflow has the tasks of the sub-workflow already, so that the task
 *     is done when these are
 */
public record SubWorkflow(
    String file, Map<String, String> definitions, int depth, boolean expanded) {

  /** The first word of the command. No program has this name. */
  public static final String PROGRAM = "weir:workflow";

  /** The type of these tasks. */
  public static final String TYPE = "workflow";

  /** Deeper sub-workflows are refused: they probably have no end. */
  public static final int MAX_DEPTH = 10;

  private static final String EXPANDED = "expanded";
  private static final String DEPTH = "depth=";
  private static final String DEFINE = "define=";

  /** Copies the map. */
  public SubWorkflow {
    definitions = Map.copyOf(definitions);
  }

  /** Creates the command of a workflow's author. */
  public SubWorkflow(String file, Map<String, String> definitions) {
    this(file, definitions, 0, false);
  }

  /** Returns the words of the command. */
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of(PROGRAM, file));
    if (depth > 0) {
      words.add(DEPTH + depth);
    }
    if (expanded) {
      words.add(EXPANDED);
    }
    definitions.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> words.add(DEFINE + entry.getKey() + "=" + entry.getValue()));
    return words;
  }

  /** Returns whether a command stands for a sub-workflow. */
  public static boolean is(List<String> command) {
    return !command.isEmpty() && command.get(0).equals(PROGRAM);
  }

  /**
   * Returns the sub-workflow that a command stands for; empty if it is the command of a program.
   *
   * @throws IllegalArgumentException if it is one of a sub-workflow, and invalid
   */
  public static Optional<SubWorkflow> of(List<String> command) {
    if (!is(command)) {
      return Optional.empty();
    }
    if (command.size() < 2) {
      throw new IllegalArgumentException("The command '" + PROGRAM + "' has no file: add one");
    }
    int depth = 0;
    boolean expanded = false;
    Map<String, String> definitions = new LinkedHashMap<>();
    for (String word : command.subList(2, command.size())) {
      if (word.startsWith(DEPTH)) {
        depth = Integer.parseInt(word.substring(DEPTH.length()));
      } else if (word.equals(EXPANDED)) {
        expanded = true;
      } else if (word.startsWith(DEFINE) && word.indexOf('=', DEFINE.length()) > 0) {
        int equals = word.indexOf('=', DEFINE.length());
        definitions.put(word.substring(DEFINE.length(), equals), word.substring(equals + 1));
      } else {
        throw new IllegalArgumentException(
            "The command '" + PROGRAM + "' has the word '" + word + "': remove it");
      }
    }
    return Optional.of(new SubWorkflow(command.get(1), definitions, depth, expanded));
  }

  /** Returns a copy at another depth. */
  public SubWorkflow at(int other) {
    return new SubWorkflow(file, definitions, other, expanded);
  }

  /** Returns a copy for a workflow that has the tasks of the sub-workflow. */
  SubWorkflow asExpanded() {
    return new SubWorkflow(file, definitions, depth, true);
  }
}
