package dev.weir.service.reconcile;

import dev.weir.hints.Hint;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides whether a hint that a path carries may be followed. It may ask for as much as the path's
 * owner could ask for over REST. If other users may write the path too, it may ask for as much as
 * they could, because the NameNode does not record who set it.
 *
 * @param replication the most replicas for users who are not administrators
 * @param sets the most hint sets of such a user
 * @param administrators tells whether a user is an administrator
 */
record Admission(int replication, int sets, Predicate<String> administrators) {

  /** Returns why the hint of a path is not followed; empty if it is. */
  Optional<String> refusal(Hint hint, PathInfo info) {
    if (!info.shared() && administrators.test(info.owner())) {
      return Optional.empty();
    }
    int target = hint.replication().map(Replication::most).orElse(Replication.FILES_OWN);
    if (target > replication) {
      return Optional.of("replication of " + target + " is beyond the limit of " + replication);
    }
    if (hint.placement().orElse(null) instanceof Placement.Nodes) {
      return Optional.of(
          "only administrators may name nodes, and "
              + (info.shared()
                  ? "others may write the path; use REST"
                  : info.owner() + " is not one"));
    }
    // The rule would remove files or replicas that the owner keeps below the path, and another user
    // may have set it.
    boolean removes = hint.lifetime().map(Lifetime::expiry).isPresent();
    boolean lowers =
        hint.replication()
            .map(Replication::auto)
            .filter(range -> range.min() != Replication.FILES_OWN)
            .isPresent();
    return info.shared() && (removes || lowers)
        ? Optional.of(
            "users other than "
                + info.owner()
                + " may write the path, and the hint would remove files or replicas; use REST")
        : Optional.empty();
  }

  /** Returns why the path's owner may have no further set for it; empty if the owner may. */
  Optional<String> refusalOfNewSet(PathInfo info, long present) {
    String owner = info.owner();
    return present < sets || (!info.shared() && administrators.test(owner))
        ? Optional.empty()
        : Optional.of(owner + " has " + present + " hint sets, and " + sets + " are the limit");
  }
}
