package dev.weir.workflow.client;

import dev.weir.hints.Suggestion;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/** Resolves the name of a run: its id, a prefix of its id, its number, or {@code last}. */
public final class RunName {

  private static final String LAST = "last";
  private static final String APPLICATION = "application_";
  private static final Pattern NUMBER = Pattern.compile("0*(\\d+)");
  private static final int SHOWN = 5;

  private RunName() {}

  /** Returns the id if the name is a full id; null otherwise. */
  static @Nullable ApplicationId full(String name) {
    try {
      return ApplicationId.fromString(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns the run with the given name.
   *
   * @param known the runs to search, the newest first
   * @throws SteeringException if no run or several runs match
   */
  static ApplicationId among(List<ApplicationId> known, String name) throws SteeringException {
    if (known.isEmpty()) {
      throw new SteeringException(
          SteeringException.Kind.NOT_FOUND,
          "There is no run '" + name + "': you have no runs on this cluster");
    }
    List<String> matches = meant(name, strings(known));
    if (matches.size() == 1) {
      return ApplicationId.fromString(matches.get(0));
    }
    if (matches.isEmpty()) {
      throw new SteeringException(
          SteeringException.Kind.NOT_FOUND,
          "There is no run '%s' among your last %s%s: see 'weir runs'"
              .formatted(name, known.size(), Suggestion.question(name, List.of(LAST))));
    }
    throw ambiguous(name, matches);
  }

  /** Returns the failure of a name that matches several runs. */
  public static SteeringException ambiguous(String name, List<String> matches) {
    return new SteeringException(
        SteeringException.Kind.NOT_FOUND,
        "'"
            + name
            + "' could be "
            + String.join(", ", matches.stream().limit(SHOWN).toList())
            + (matches.size() > SHOWN ? ", ..." : "")
            + ": give more of the id");
  }

  /** Returns the run that a name means, if it means one. */
  static Optional<ApplicationId> one(List<ApplicationId> known, String name) {
    List<String> matches = meant(name, strings(known));
    return matches.size() == 1
        ? Optional.of(ApplicationId.fromString(matches.get(0)))
        : Optional.empty();
  }

  private static List<String> strings(List<ApplicationId> ids) {
    return ids.stream().map(ApplicationId::toString).toList();
  }

  /**
   * Returns the runs that match a name that is not a full id: the first one for {@code last}, else
   * those with that number, or else those whose ids start with it, with or without {@code
   * application_}. All ids start with the same digits for years, so small numbers as prefixes would
   * match all of them.
   *
   * @param name the user's text
   * @param ids the ids to search, the newest first
   * @return the matching ids, in their order
   */
  public static List<String> meant(String name, List<String> ids) {
    if (name.equals(LAST)) {
      return ids.stream().limit(1).toList();
    }
    if (name.chars().noneMatch(c -> c >= '0' && c <= '9')) {
      // Every id starts with it. An empty shell variable would match the only run.
      return List.of();
    }
    Matcher number = NUMBER.matcher(name);
    if (number.matches()) {
      Pattern ending = Pattern.compile(APPLICATION + "\\d+_0*" + number.group(1));
      List<String> numbered = ids.stream().filter(ending.asMatchPredicate()).toList();
      if (!numbered.isEmpty()) {
        return numbered;
      }
    }
    return ids.stream()
        .filter(id -> id.startsWith(name) || id.startsWith(APPLICATION + name))
        .toList();
  }
}
