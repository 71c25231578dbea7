package dev.weir.workflow.staging;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.text.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Selects the intermediate files that a run keeps when no task needs them any more. A run always
 * keeps results, and files that none of its tasks wrote. Immutable.
 */
public record RetentionPolicy(String text) {

  /** All intermediate files. */
  public static final String ALL = "all";

  /** None but those that the workflow's hints say to keep. */
  public static final String NONE = "none";

  /**
   * In mode {@code weir} all but those that the workflow's hints call temporary; in other modes
   * all.
   */
  public static final String BY_MODE = "";

  private static final Pattern COMMA = Pattern.compile(",");

  /**
   * Parses the user's text.
   *
   * @param text {@code all}, {@code none}, or comma-separated patterns of files with {@code *} and
   *     {@code ?}
   * @throws IllegalArgumentException when the text, or one of the patterns, is blank
   */
  public static RetentionPolicy parse(String text) {
    if (COMMA.splitAsStream(text + ",.").anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "--keep '"
              + text
              + "' has a blank pattern: give all, none, or comma-separated patterns of files,"
              + " such as"
              + " '*.fits,stats/*'");
    }
    return new RetentionPolicy(text);
  }

  /**
   * Checks that each pattern matches an intermediate file. Otherwise a file that the user meant to
   * keep would be deleted because of a typo.
   *
   * @return the policy with patterns in the form of ids, without leading slashes
   * @throws IllegalArgumentException if a pattern matches no file, or {@code all} or {@code none}
   *     is combined with others; the message says what to write
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
            "--keep '" + text + "' has '" + given + "' among others: give it alone, or remove it");
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
    String problem = "--keep '" + pattern + "' matches no intermediate file of the workflow";
    if (files.isEmpty()) {
      return problem + ": there is no such file, so omit it";
    }
    return problem
        + ": write file names as in the workflow, without the data directory, such as '"
        + files.get(0)
        + "'; results are always kept";
  }

  /**
   * Returns the files that are not deleted.
   *
   * @param mode mode of the run
   * @return true for a file that is kept
   */
  public Predicate<DataFile> files(Mode mode) {
    return switch (text) {
      case BY_MODE -> file -> mode != Mode.WEIR || !file.calledTemporary();
      case NONE -> file -> false;
      case ALL -> file -> true;
      default -> named(named());
    };
  }

  private static Predicate<DataFile> named(Predicate<String> ids) {
    return file -> ids.test(file.id());
  }

  /**
   * Returns the files that the user treats as results. With {@code all}, files are kept for
   * inspection only, so none is named.
   *
   * @return true for the id of a named file
   */
  public Predicate<String> named() {
    if (isWord(text)) {
      return file -> false;
    }
    List<Glob> globs = COMMA.splitAsStream(text).map(String::strip).map(Glob::new).toList();
    return file -> globs.stream().anyMatch(glob -> glob.matches(file));
  }
}
