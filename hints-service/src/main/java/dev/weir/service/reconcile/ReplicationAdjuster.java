package dev.weir.service.reconcile;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Gives files the replication that their hints ask for if the client did not. Not thread-safe. */
final class ReplicationAdjuster {
  private static final int REMEMBERED = 10_000;

  private final Namespace namespace;
  private final ReconcilerMetrics counters;
  private final PathFailures refusals;

  /**
   * The replication of files that are being written, as of their creation. It saves most calls to
   * the NameNode.
   */
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

  /**
   * A file was completed or renamed. Only a file that can be produced again gets fewer replicas.
   */
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

  /**
   * Raises the replication of an existing file. It is never lowered, because the replicas may be
   * all that is left of the data.
   */
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
