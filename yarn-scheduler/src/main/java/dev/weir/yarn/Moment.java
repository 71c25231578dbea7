package dev.weir.yarn;

/** What the plan for one heartbeat is made from, besides the asks. */
record Moment(long nowMillis, ClusterView cluster, Places places) {

  /** Where files are, for the user whose application asks. */
  interface Places {

    /** Answers at once; a name that is not known yet is looked up in the background. */
    Located locate(String resourceName);

    /** Whether the file system has stopped answering, so that holding an ask for it is vain. */
    boolean stalled();
  }
}
