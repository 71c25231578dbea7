package dev.weir.yarn.metrics;

/** Why the asks of a key are as they are. */
public enum AskOutcome {
  PLACED("Asks sent with nodes for every name"),
  PARTLY("Asks sent with nodes for some of the names"),
  ANYWHERE("Asks sent without nodes"),
  HELD("Asks held until the files are located"),
  ADDED_LATE("Nodes added to asks sent without them"),
  LEFT_ALONE("Asks unchanged because the application chose hosts or racks itself"),
  ENDED("Asks that no longer name files or ask for no containers"),
  SATISFIED("Asks removed because all their containers have been allocated"),
  NOTHING("Nothing changed");

  private final String description;

  AskOutcome(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }
}
