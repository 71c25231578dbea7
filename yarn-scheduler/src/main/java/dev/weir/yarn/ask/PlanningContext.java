package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.lookup.LocationResult;
import java.util.Collection;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** What the plan for one heartbeat is made from, besides the asks. */
record PlanningContext(long nowMillis, ClusterView cluster, Places places) {

  /** Where files are, for the user whose application asks, and how it stands with the nodes. */
  interface Places {

    /**
     * Answers at once; a name that is not known yet is looked up in the background.
     *
     * @param key on which it is named, to tell the user with
     */
    LocationResult locate(AskKey key, String resourceName);

    /** Whether the file system has stopped answering, so that holding an ask for it is vain. */
    boolean stalled();

    /**
     * In how long the first of the nodes is expected to have room, 0 if one has, {@link
     * Outlook#NEVER} if none ever will.
     */
    default long millisUntilRoom(Collection<ClusterNode> nodes, ContainerRequirement need) {
      return 0;
    }

    /** Which nodes the application may get for a need at all. */
    default Predicate<ClusterNode> nodesFor(ContainerRequirement need) {
      return node -> true;
    }

    /** How many containers the scheduler still owes for an ask for any node. */
    default int outstanding(ResourceRequest any) {
      return any.getNumContainers();
    }

    /** Whether the scheduler still has a host or rack that was asked for on the key of an ask. */
    default boolean stillAsks(ResourceRequest any, String place) {
      return true;
    }

    /** Whether a name stands for the inputs of the whole application. */
    default boolean isInputs(String resourceName) {
      return false;
    }

    /** Takes note of a name that is left out. */
    default void refused(AskKey key, String why) {}
  }
}
