package dev.weir.service.reconcile;

import dev.weir.hints.Hint;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a hint that a path carries may ask for: as much as its owner could ask for over REST, or,
 * where others may write the path too, as much as they could. Who gave it is not to be known.
 *
 * @param replication the most replicas for those who are no administrators
 * @param sets the most hint sets of one of them
 * @param administrators tells them
 */
record Admission(int replication, int sets, Predicate<String> administrators) {

  /** Why the hint of a path is not followed; empty when it is. */
  Optional<String> refusal(Hint hint, PathInfo facts) {
    if (!facts.shared() && administrators.test(facts.owner())) {
      return Optional.empty();
    }
    int target = hint.replication().map(Replication::target).orElse(Replication.FILES_OWN);
    if (target > replication) {
      return Optional.of("replication of " + target + " is beyond the limit of " + replication);
    }
    if (hint.placement().orElse(null) instanceof Placement.Nodes) {
      return Optional.of(
          "only administrators name nodes, and "
              + (facts.shared()
                  ? "others may write the path; use REST"
                  : facts.owner() + " is none"));
    }
    // It would remove what the owner keeps below the path, and who gave it may be another.
    boolean removes = hint.lifetime().map(Lifetime::expiry).isPresent();
    return facts.shared() && removes
        ? Optional.of(
            "others than " + facts.owner() + " may write the path, and files would go; use REST")
        : Optional.empty();
  }

  /** Why the path's owner gets no further set for it; empty when he does. */
  Optional<String> refusalOfOneMore(PathInfo facts, long present) {
    String owner = facts.owner();
    return present < sets || (!facts.shared() && administrators.test(owner))
        ? Optional.empty()
        : Optional.of(owner + " has " + present + " hint sets, and " + sets + " are the limit");
  }
}
