package dev.weir.yarn;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one heartbeat of an application gets to know, and what there is to tell its user of it. */
final class AppPlaces implements Moment.Places {

  /** The text is kept by the ResourceManager and shown in lists of applications. */
  private static final int MAX_PROBLEMS = 3;

  private static final int MAX_TEXT = 200;

  private final YarnPlugin plugin;
  private final @Nullable String user;
  private final @Nullable String inputs;
  private final Set<String> problems = new LinkedHashSet<>();

  /**
   * For one heartbeat.
   *
   * @param user whose application it is; null if that is not known any more
   * @param inputs the name of the application's inputs, null if it gives none
   */
  AppPlaces(YarnPlugin plugin, @Nullable String user, @Nullable String inputs) {
    this.plugin = plugin;
    this.user = user;
    this.inputs = inputs;
  }

  @Override
  public Located locate(String resourceName) {
    if (user == null) {
      return new Located.Unknown(Located.Why.NO_ANSWER);
    }
    Located located = plugin.locations().locate(user, WeirName.parse(resourceName));
    if (located instanceof Located.Unknown unknown) {
      problem(resourceName + " " + unknown.why().words());
    } else if (located instanceof Located.Found found) {
      found.missing().forEach(path -> problem(path + " " + Located.Why.NOT_THERE.words()));
    }
    return located;
  }

  @Override
  public boolean stalled() {
    return plugin.locations().stalled(plugin.settings().holdMillis());
  }

  @Override
  public long millisUntilRoom(Collection<ClusterNode> nodes, Need need) {
    return plugin.cluster().millisUntilRoom(nodes, need);
  }

  @Override
  public boolean isInputs(String resourceName) {
    return resourceName.equals(inputs);
  }

  @Override
  public void refused(String why) {
    problem(why);
  }

  private void problem(String text) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...");
    }
  }

  /** What kept files from being used, for the user; empty if nothing did. */
  String problems() {
    return String.join("; ", problems);
  }
}
