package dev.weir.yarn.ask;

import dev.weir.yarn.cluster.ClusterNode;
import dev.weir.yarn.cluster.ClusterView;
import dev.weir.yarn.cluster.ContainerRequirement;
import dev.weir.yarn.lookup.LocationResult;
import java.util.Collection;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** What the plan for one heartbeat depends on, besides the asks. */
record PlanningContext(long nowMillis, ClusterView cluster, Places places) {

  /** The locations of the user's files and the state of nodes. */
  interface Places {

    /**
     * Answers immediately; an unknown name is looked up in the background.
     *
     * @param key the key that names it, for messages to the user
     */
    LocationResult locate(AskKey key, String resourceName);

    /** Whether the file system has stopped answering, so that holding asks is useless. */
    boolean stalled();

    /**
     * The milliseconds until the first of the nodes is expected to have room: 0 if one has, {@link
     * RoomEstimate#NEVER} if none ever will.
     */
    default long millisUntilRoom(Collection<ClusterNode> nodes, ContainerRequirement requirement) {
      return 0;
    }

    default Predicate<ClusterNode> nodesFor(ContainerRequirement requirement) {
      return node -> true;
    }

    /** How many containers the scheduler still owes for an ask for any node. */
    default int outstanding(ResourceRequest any) {
      return any.getNumContainers();
    }

    /** Whether the scheduler still has an ask for a host or rack on the key of the given ask. */
    default boolean hasAsk(ResourceRequest any, String place) {
      return true;
    }

    /** Whether a name stands for the inputs of the whole application. */
    default boolean isInputs(String resourceName) {
      return false;
    }

    /** Records a name that was refused. */
    default void refused(AskKey key, String why) {}
  }
}
