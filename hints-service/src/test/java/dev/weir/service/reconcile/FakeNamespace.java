package dev.weir.service.reconcile;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.jspecify.annotations.Nullable;

/** A namespace in memory that records its edits as a NameNode does. */
final class FakeNamespace implements Namespace {
  static final int BY_DEFAULT = 3;

  private final TreeMap<String, PathInfo> paths = new TreeMap<>();
  private final List<Edit> edits = new ArrayList<>();
  private final Set<String> cached = new HashSet<>();
  private final Set<String> deleted = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private final Clock clock;
  private long lastId;
  private long cacheCapacity = 1;

  FakeNamespace(Clock clock) {
    this.clock = clock;
  }

  List<Edit> edits() {
    return edits;
  }

  Map<String, PathInfo> paths() {
    return paths;
  }

  /** Returns what the reconciler has deleted. */
  Set<String> deleted() {
    return deleted;
  }

  /** Makes the NameNode refuse all requests for a path. */
  void refuse(String path) {
    refused.add(path);
  }

  /** Changes the cache capacity of the DataNodes. */
  void cacheCapacity(long bytes) {
    cacheCapacity = bytes;
  }

  void mkdir(String path) {
    paths.put(path, info(path, true, 0, null));
  }

  void create(String path) {
    create(path, BY_DEFAULT);
  }

  void create(String path, int replication) {
    paths.put(path, info(path, false, replication, null));
    edits.add(new Edit.Created(path, clock.instant(), replication));
    edits.add(new Edit.Closed(path));
  }

  void hint(String path, @Nullable String text) {
    PathInfo old = paths.get(path);
    if (old != null) {
      paths.put(
          path,
          new PathInfo(
              path,
              old.id(),
              old.directory(),
              old.replication(),
              false,
              old.owner(),
              old.shared(),
              old.modified(),
              text));
      edits.add(new Edit.Hinted(path, text));
    }
  }

  void rename(String from, String to) {
    remove(to, false);
    for (String path : atOrBelow(from)) {
      PathInfo old = Objects.requireNonNull(paths.remove(path));
      String name = to + path.substring(from.length());
      paths.put(
          name,
          new PathInfo(
              name,
              old.id(),
              old.directory(),
              old.replication(),
              false,
              old.owner(),
              old.shared(),
              old.modified(),
              old.hint()));
    }
    edits.add(new Edit.Renamed(from, to));
  }

  void remove(String path) {
    remove(path, true);
  }

  void chown(String path, String owner) {
    paths.computeIfPresent(
        path,
        (key, old) ->
            new PathInfo(
                path,
                old.id(),
                old.directory(),
                old.replication(),
                false,
                owner,
                old.shared(),
                old.modified(),
                old.hint()));
  }

  /** Lets users other than the owner write a path. */
  void share(String path) {
    paths.computeIfPresent(
        path,
        (key, old) ->
            new PathInfo(
                path,
                old.id(),
                old.directory(),
                old.replication(),
                false,
                old.owner(),
                true,
                old.modified(),
                old.hint()));
  }

  private void remove(String path, boolean recorded) {
    List<String> removed = atOrBelow(path);
    removed.forEach(paths::remove);
    if (recorded && !removed.isEmpty()) {
      edits.add(new Edit.Removed(path, clock.instant()));
    }
  }

  private List<String> atOrBelow(String path) {
    return paths.keySet().stream()
        .filter(one -> path.equals("/") || one.equals(path) || one.startsWith(path + "/"))
        .toList();
  }

  private PathInfo info(String path, boolean directory, int replication, @Nullable String hint) {
    lastId++;
    return new PathInfo(
        path, lastId, directory, replication, false, "alice", false, clock.instant(), hint);
  }

  @Override
  public Optional<PathInfo> find(String path) {
    return Optional.ofNullable(paths.get(path));
  }

  @Override
  public int defaultReplication() {
    return BY_DEFAULT;
  }

  @Override
  public void setReplication(String path, int replication) throws RefusedException {
    require(path);
    PathInfo old = paths.get(path);
    if (old != null) {
      paths.put(
          path,
          new PathInfo(
              path,
              old.id(),
              false,
              replication,
              false,
              old.owner(),
              old.shared(),
              old.modified(),
              old.hint()));
    }
  }

  @Override
  public void delete(String path, long id) throws RefusedException {
    require(path);
    if (find(path).filter(info -> !info.directory() && info.id() == id).isPresent()) {
      deleted.add(path);
      remove(path);
    }
  }

  @Override
  public void walk(String path, boolean hints, FunctionRaisingIOE<PathInfo, Boolean> visitor)
      throws IOException {
    for (String one : atOrBelow(path)) {
      PathInfo info = Objects.requireNonNull(paths.get(one));
      if (!hints && !one.equals(path)) {
        info =
            new PathInfo(
                one,
                info.id(),
                info.directory(),
                info.replication(),
                false,
                info.owner(),
                info.shared(),
                info.modified(),
                null);
      }
      if (!visitor.apply(info)) {
        return;
      }
    }
  }

  @Override
  public Set<String> cached() {
    return Set.copyOf(cached);
  }

  @Override
  public void cache(String path) throws RefusedException {
    require(path);
    cached.add(path);
  }

  @Override
  public long cacheCapacity() {
    return cacheCapacity;
  }

  private void require(String path) throws RefusedException {
    if (refused.contains(path)) {
      throw new RefusedException(path, new IOException("quota"));
    }
  }

  @Override
  public void uncache(List<String> removed) {
    removed.forEach(cached::remove);
  }
}
