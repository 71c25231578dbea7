package dev.weir.workflow.client;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/** How people name a run: by its id, the beginning of it, its number, or {@code last}. */
public final class RunName {

  private static final String LAST = "last";
  private static final String APPLICATION = "application_";
  private static final Pattern NUMBER = Pattern.compile("0*(\\d+)");
  private static final int SHOWN = 5;

  private RunName() {}

  /** The id that a name is as it stands; null when it is short for one. */
  static @Nullable ApplicationId full(String name) {
    try {
      return ApplicationId.fromString(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * The run that is meant.
   *
   * @param known the runs that it can be, the newest first
   * @throws SteeringException when it is none, or could be several
   */
  static ApplicationId among(List<ApplicationId> known, String name) throws SteeringException {
    if (known.isEmpty()) {
      throw new SteeringException(
          SteeringException.Kind.NOT_FOUND,
          "There is no run '" + name + "': you have no runs on this cluster");
    }
    if (name.equals(LAST)) {
      return known.get(0);
    }
    List<String> meant = meant(name, known.stream().map(ApplicationId::toString).toList());
    if (meant.size() == 1) {
      return ApplicationId.fromString(meant.get(0));
    }
    if (meant.isEmpty()) {
      throw new SteeringException(
          SteeringException.Kind.NOT_FOUND,
          "There is no run '" + name + "' among your last " + known.size() + ": see 'weir runs'");
    }
    throw new SteeringException(
        SteeringException.Kind.NOT_FOUND,
        "'"
            + name
            + "' could be "
            + String.join(", ", meant.stream().limit(SHOWN).toList())
            + (meant.size() > SHOWN ? ", ..." : "")
            + ": give more of the id");
  }

  /**
   * The runs that a name which is no id as it stands can mean: those whose number it is, or else
   * those that begin so, with or without {@code application_}. Every id begins with the same digits
   * for years: as beginnings, small numbers would mean all of them.
   *
   * @param name as a person writes it
   * @param ids the runs that it can be
   * @return those of them that are meant, in their order
   */
  public static List<String> meant(String name, List<String> ids) {
    if (name.chars().noneMatch(c -> c >= '0' && c <= '9')) {
      // Every id begins so: a variable that is not set would mean the only run there is.
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
