package dev.weir.workflow.staging;

import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.text.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which files in between a run leaves where they are when no task needs them any more. Files that
 * no task reads, and files that no task of the run has made, it leaves in any case. Immutable.
 *
 * @param text as the user says it
 */
public record RetentionPolicy(String text) {

  /** All of them. */
  public static final String ALL = "all";

  /** None but those that the workflow itself says to keep. */
  public static final String NONE = "none";

  /** In mode {@code weir} all but those that the workflow itself calls temporary, else all. */
  public static final String BY_MODE = "";

  private static final Pattern COMMA = Pattern.compile(",");

  /**
   * Reads what a user says.
   *
   * @param text {@code all}, {@code none}, or patterns of files with commas between them, with
   *     {@code *} and {@code ?}
   * @return the choice
   * @throws IllegalArgumentException when the text, or one of the patterns, is blank
   */
  public static RetentionPolicy parse(String text) {
    if (COMMA.splitAsStream(text + ",.").anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "--keep '"
              + text
              + "' has a blank pattern: give all, none, or patterns of files with commas between"
              + " them, such as '*.fits,stats/*'");
    }
    return new RetentionPolicy(text);
  }

  /**
   * Makes sure that each pattern names a file in between, so that a mistyped one does not have
   * deleted what it was to keep.
   *
   * @param workflow what is run
   * @return the same with patterns as ids are written: without slashes in front of them
   * @throws IllegalArgumentException when a pattern names none, or {@code all} or {@code none}
   *     stands beside others; the message says what to write instead
   */
  public RetentionPolicy checked(Workflow workflow) {
    if (isWord(text)) {
      return this;
    }
    List<String> files =
        workflow.graph().intermediates().stream().map(DataFile::id).sorted().toList();
    List<String> patterns = new ArrayList<>();
    for (String given : COMMA.splitAsStream(text).map(String::strip).toList()) {
      if (isWord(given)) {
        throw new IllegalArgumentException(
            "--keep '" + text + "' has '" + given + "' among others: give it alone, or leave it");
      }
      String pattern = FileIds.normalize(given);
      Glob glob = new Glob(pattern);
      if (files.stream().noneMatch(glob::matches)) {
        throw new IllegalArgumentException(noSuchFile(given, files));
      }
      patterns.add(pattern);
    }
    return new RetentionPolicy(String.join(",", patterns));
  }

  private static boolean isWord(String text) {
    return List.of(BY_MODE, NONE, ALL).contains(text);
  }

  private static String noSuchFile(String pattern, List<String> files) {
    String problem =
        "--keep '"
            + pattern
            + "' names no file that a task of the workflow makes and another reads";
    if (files.isEmpty()) {
      return problem + ": there is none, so leave it out";
    }
    return problem
        + ": write their names as the workflow has them, without the data directory, such as '"
        + files.get(0)
        + "'; results, which no task reads, stay in any case";
  }

  /**
   * Which files are not deleted.
   *
   * @param mode of the run
   * @return whether a file stays
   */
  public Predicate<DataFile> files(Mode mode) {
    return switch (text) {
      case BY_MODE -> file -> mode != Mode.WEIR || !IntermediateFiles.isSaid(file);
      case NONE -> file -> false;
      case ALL -> file -> true;
      default -> named(named());
    };
  }

  private static Predicate<DataFile> named(Predicate<String> ids) {
    return file -> ids.test(file.id());
  }

  /**
   * Which files the user wants as much as results. Where all stay that is for a look at them.
   *
   * @return whether a file of that id is named
   */
  public Predicate<String> named() {
    if (isWord(text)) {
      return file -> false;
    }
    List<Glob> globs = COMMA.splitAsStream(text).map(String::strip).map(Glob::new).toList();
    return file -> globs.stream().anyMatch(glob -> glob.matches(file));
  }
}
