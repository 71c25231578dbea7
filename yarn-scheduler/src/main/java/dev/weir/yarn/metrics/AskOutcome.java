package dev.weir.yarn.metrics;

/** Why the asks are as they are. */
public enum AskOutcome {
  PLACED("Asks sent with nodes for every name"),
  PARTLY("Asks sent with nodes for some of the names"),
  ANYWHERE("Asks sent without nodes"),
  HELD("Asks kept back until the files are located"),
  ADDED_LATE("Nodes added to asks sent without them"),
  LEFT_ALONE("Asks where the application chose hosts or racks itself"),
  ENDED("Asks that no longer name files or are for no containers"),
  SATISFIED("Asks forgotten because all their containers have come"),
  NOTHING("Nothing new");

  private final String description;

  AskOutcome(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }
}
