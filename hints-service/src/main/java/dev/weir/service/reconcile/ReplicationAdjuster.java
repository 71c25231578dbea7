package dev.weir.service.reconcile;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Gives files the replication that their hints want where the client did not. For one thread. */
final class ReplicationAdjuster {
  private static final int REMEMBERED = 10_000;

  private final Namespace namespace;
  private final ReconcilerMetrics counters;
  private final PathFailures refusals;

  /** What files that are being written were created with: most need no question to the NameNode. */
  private final Map<String, Integer> created =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > REMEMBERED;
        }
      };

  private @Nullable Integer byDefault;

  ReplicationAdjuster(Namespace namespace, ReconcilerMetrics counters, PathFailures refusals) {
    this.namespace = namespace;
    this.counters = counters;
    this.refusals = refusals;
  }

  void created(Edit.Created edit) {
    created.put(edit.path(), edit.replication());
  }

  /** A file is complete, or has a new name. Only one that can be made again gets fewer copies. */
  void settle(String path, HintIndex index) throws IOException {
    Integer known = created.remove(path);
    Optional<Match> match = index.lookup(path);
    if (match.isEmpty()
        || (known != null
            && HintedReplication.of(match.get().hint(), known, byDefault()).isEmpty())) {
      return;
    }
    Optional<PathInfo> facts = namespace.find(path);
    if (facts.isPresent()) {
      int least = match.get().hint().isTemporary() ? 1 : facts.get().replication();
      settle(facts.get(), match.get(), least);
    }
  }

  /** Gives a file that is there already more, never fewer: it may be all that is left. */
  void raise(PathInfo facts, HintIndex index) throws IOException {
    Optional<Match> match = index.lookup(facts.path());
    if (match.isPresent()) {
      settle(facts, match.get(), facts.replication());
    }
  }

  private void settle(PathInfo facts, Match match, int least) throws IOException {
    if (facts.directory() || facts.striped()) {
      return;
    }
    OptionalInt wanted = HintedReplication.of(match.hint(), facts.replication(), byDefault());
    if (wanted.isEmpty() || wanted.getAsInt() < least) {
      return;
    }
    try {
      namespace.setReplication(facts.path(), wanted.getAsInt());
      counters.replicationsSet.incr();
    } catch (RefusedException e) {
      refusals.note(e);
    }
  }

  private int byDefault() throws IOException {
    if (byDefault == null) {
      byDefault = namespace.defaultReplication();
    }
    return byDefault;
  }
}
