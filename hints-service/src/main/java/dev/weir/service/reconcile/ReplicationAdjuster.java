package dev.weir.service.reconcile;

import dev.weir.hdfs.placement.TargetReplication;
import dev.weir.hints.Hint;
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
  private static final int MAX_FILES = 10_000;

  private final Namespace namespace;
  private final ReconcilerMetrics counters;
  private final PathFailures failures;

  /**
   * The replication of files that are being written, as of their creation. It saves most calls to
   * the NameNode.
   */
  private final Map<String, Integer> created =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MAX_FILES;
        }
      };

  private @Nullable Integer defaultReplication;

  ReplicationAdjuster(Namespace namespace, ReconcilerMetrics counters, PathFailures failures) {
    this.namespace = namespace;
    this.counters = counters;
    this.failures = failures;
  }

  void created(Edit.Created edit) {
    created.put(edit.path(), edit.replication());
  }

  /** A file was completed or renamed. Only a temporary file may get fewer replicas. */
  void adjust(String path, HintIndex index) throws IOException {
    Integer known = created.remove(path);
    Optional<Match> match = index.lookup(path);
    if (match.isEmpty() || (known != null && wanted(match.get().hint(), known).isEmpty())) {
      return;
    }
    Optional<PathInfo> info = namespace.find(path);
    if (info.isPresent()) {
      int min = match.get().hint().isTemporary() ? 1 : info.get().replication();
      adjust(info.get(), match.get(), min);
    }
  }

  /**
   * Raises the replication of an existing file. It is never lowered, because other copies of the
   * data may be lost.
   */
  void raise(PathInfo info, HintIndex index) throws IOException {
    Optional<Match> match = index.lookup(info.path());
    if (match.isPresent()) {
      adjust(info, match.get(), info.replication());
    }
  }

  private void adjust(PathInfo info, Match match, int min) throws IOException {
    if (info.directory() || info.striped()) {
      return;
    }
    OptionalInt wanted = wanted(match.hint(), info.replication());
    if (wanted.isEmpty() || wanted.getAsInt() < min) {
      return;
    }
    try {
      namespace.setReplication(info.path(), wanted.getAsInt());
      counters.replicationsSet.incr();
    } catch (RefusedException e) {
      failures.refused(e);
    }
  }

  /**
   * Returns the replication of a file whose client did not follow its hint. A file whose
   * replication differs from the cluster's default was set explicitly and is left alone. The
   * NameNode itself makes lazy copies.
   */
  private OptionalInt wanted(Hint hint, int replication) throws IOException {
    int wanted = TargetReplication.wanted(hint);
    return wanted == TargetReplication.FILES_OWN
            || replication != defaultReplication()
            || wanted == replication
        ? OptionalInt.empty()
        : OptionalInt.of(wanted);
  }

  private int defaultReplication() throws IOException {
    if (defaultReplication == null) {
      defaultReplication = namespace.defaultReplication();
    }
    return defaultReplication;
  }
}
