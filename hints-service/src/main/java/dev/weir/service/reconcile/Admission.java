package dev.weir.service.reconcile;

import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a hint that a path carries may ask for: as much as its owner could ask for over REST.
 *
 * @param replication the most replicas for those who are no administrators
 * @param administrators tells them
 */
record Admission(int replication, Predicate<String> administrators) {

  /** Why the hint of a path of that owner is not followed; empty when it is. */
  Optional<String> refusal(Hint hint, String owner) {
    if (administrators.test(owner)) {
      return Optional.empty();
    }
    int target = hint.replication().map(Replication::target).orElse(Replication.FILES_OWN);
    if (target > replication) {
      return Optional.of("replication of " + target + " is beyond the limit of " + replication);
    }
    return hint.placement().orElse(null) instanceof Placement.Nodes
        ? Optional.of("only administrators name nodes, and " + owner + " is none")
        : Optional.empty();
  }
}
