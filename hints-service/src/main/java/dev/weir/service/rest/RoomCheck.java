package dev.weir.service.rest;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.index.SetMemory;
import dev.weir.hints.store.HintStore;
import dev.weir.service.access.Authorizer;
import dev.weir.service.part.ProblemException;
import java.util.Optional;

/**
 * Refuses sets that NameNodes would leave out because their memory for hints does not suffice, and
 * sets of owners who have too many rules. Uses this instance's index, which may lack the latest
 * writes; NameNodes enforce their memory themselves.
 */
final class RoomCheck {
  private final HintStore store;
  private final Authorizer authorizer;

  RoomCheck(HintStore store, Authorizer authorizer) {
    this.store = store;
    this.authorizer = authorizer;
  }

  /**
   * Refuses a set that grows beyond a limit. Never blocks.
   *
   * @throws ProblemException 507
   */
  void require(HintSet set) {
    HintIndex index = store.snapshot();
    Optional<SetInfo> before = index.set(set.id());
    long growth = SetMemory.bytes(set) - before.map(SetInfo::bytes).orElse(0L);
    if (growth <= 0) {
      return;
    }
    long limit = store.status().memory().limit();
    if (index.bytes() + growth > limit) {
      throw ProblemException.noRoom(
          "all hint sets together would take "
              + (index.bytes() + growth)
              + " bytes in each NameNode, and at most "
              + limit
              + " are allowed ("
              + HintSettings.MEMORY_KEY
              + "); use patterns with wildcards, remove sets that are no longer needed, or have"
              + " an administrator raise the limit");
    }
    long others =
        index.sets().stream()
            .filter(other -> other.owner().equals(set.owner()) && !other.id().equals(set.id()))
            .mapToLong(SetInfo::rules)
            .sum();
    authorizer.requireRuleTotal(set.owner(), others + set.rules().size());
  }
}
