package dev.weir.service.locate.explain;

import dev.weir.hints.AutoRange;
import dev.weir.hints.Replication;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.auto.UseExplainer;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.locate.files.NameNodeErrors;
import dev.weir.service.locate.files.PathFault;
import dev.weir.service.locate.files.UserFileTrees;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNodes;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers the facts that explain the location of a file. */
public final class LocationExplainer {
  private static final Logger LOG = LoggerFactory.getLogger(LocationExplainer.class);

  private final CallerFileSystems callers;
  private final DataNodes dataNodes;
  private final HintStore store;
  private final Supplier<Predicate<WatcherInfo>> active;
  private final UseExplainer use;

  /**
   * Creates an explainer.
   *
   * @param active tells whether a watcher is the active NameNode; may call NameNodes
   * @param use explains replicas that follow the use of files
   */
  public LocationExplainer(
      CallerFileSystems callers,
      DataNodes dataNodes,
      HintStore store,
      Supplier<Predicate<WatcherInfo>> active,
      UseExplainer use) {
    this.use = use;
    this.callers = callers;
    this.dataNodes = dataNodes;
    this.store = store;
    this.active = active;
  }

  /**
   * Explains the location of a file, which need not exist yet.
   *
   * @throws ProblemException if the user may not see the file, it is a directory, or its file
   *     system has no hints here
   */
  public LocationExplanation explain(String user, FilePath path) throws IOException {
    HintIndex index = store.snapshot();
    if (!path.authority().isEmpty() && !path.authority().equals(index.authority())) {
      throw ProblemException.invalid(
          "path",
          "the hints of the file system '" + path.authority() + "' are not available here",
          List.of("hdfs://" + index.authority() + "/..."));
    }
    Optional<FileInfo> file = file(user, path);
    Match match = index.lookup(path.path()).orElse(null);
    ClusterNodes cluster = dataNodes.of(path.authority());
    HintedLayout wanted = HintedLayout.nothing();
    HintedLayout.FileSize defaults = defaults(user, path);
    if (match != null) {
      HintedLayout.FileSize size = file.map(HintedLayout.FileSize::of).orElse(defaults);
      wanted = HintedLayout.of(match.hint(), path.path(), size, cluster);
    }
    List<LocationExplanation.Difference> differences =
        match == null || file.isEmpty()
            ? List.of()
            : new Differences(
                    match.hint(),
                    wanted,
                    file.get(),
                    cluster,
                    new DifferenceCauses(
                        ruleStatus(match),
                        file.get().modified(),
                        lastChange(match),
                        defaults.replication()))
                .find(path.path());
    return new LocationExplanation(
        path.path(),
        match,
        wanted,
        file.orElse(null),
        cluster,
        differences,
        match == null || file.isEmpty() ? null : use(match, path.path(), file.get()));
  }

  private UseExplainer.@Nullable Use use(Match match, String path, FileInfo file) {
    AutoRange range = match.hint().replication().map(Replication::auto).orElse(null);
    return range == null
        ? null
        : use.explain(
                path,
                range,
                new UseExplainer.Size(file.length(), file.blockSize()),
                file.replication())
            .orElse(null);
  }

  private Optional<FileInfo> file(String user, FilePath path) throws IOException {
    Optional<FileInfo> file;
    try {
      file =
          new UserFileTrees(callers, user).call(path.authority(), tree -> tree.find(path.path()));
    } catch (IOException e) {
      if (NameNodeErrors.fault(e) == PathFault.NOT_READABLE) {
        throw ProblemException.forbidden("path", user + " may not look at " + path.text())
            .because(e);
      }
      file = Optional.empty();
    }
    if (file.isPresent() && file.get().directory()) {
      throw ProblemException.invalid("path", path.text() + " is a directory; name a file in it");
    }
    return file;
  }

  /** Returns the properties that stock HDFS would give the file. */
  private HintedLayout.FileSize defaults(String user, FilePath path) throws IOException {
    Path file = new Path(path.path());
    return callers.call(
        user,
        path.authority(),
        files ->
            new HintedLayout.FileSize(
                0, files.getDefaultReplication(file), files.getDefaultBlockSize(file)));
  }

  /**
   * Returns an unknown status if the watchers cannot be read, because the rest of the answer is
   * still useful.
   */
  private NameNodeRuleStatus ruleStatus(Match match) {
    try {
      return NameNodeRuleStatus.of(store.watchers(), active.get(), match.set().version());
    } catch (IOException e) {
      LOG.debug("The watchers are not known", e);
      return new NameNodeRuleStatus(null, match.set().version());
    }
  }

  private static @Nullable Instant lastChange(Match match) {
    Instant modified = match.set().modified();
    return modified.equals(Instant.EPOCH) ? null : modified;
  }
}
