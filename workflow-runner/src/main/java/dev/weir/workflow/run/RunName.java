package dev.weir.workflow.run;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;

/** How people name a run: by its id, the beginning of it, its number, or {@code last}. */
final class RunName {

  private static final String LAST = "last";
  private static final String APPLICATION = "application_";
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
    List<ApplicationId> meant = known.stream().filter(id -> means(name, id)).toList();
    if (meant.size() == 1) {
      return meant.get(0);
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
            + String.join(", ", meant.stream().limit(SHOWN).map(ApplicationId::toString).toList())
            + (meant.size() > SHOWN ? ", ..." : "")
            + ": give more of the id");
  }

  private static boolean means(String name, ApplicationId id) {
    if (name.chars().noneMatch(c -> c >= '0' && c <= '9')) {
      // Every id begins so: a variable that is not set would mean the only run there is.
      return false;
    }
    String text = id.toString();
    return text.startsWith(name)
        || text.startsWith(APPLICATION + name)
        || (name.matches("\\d{1,9}") && Integer.parseInt(name) == id.getId());
  }
}
