package dev.weir.service.reconcile;

import dev.weir.service.auto.AutoPaths;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;

/** Files in memory, which also keeps the paths under {@code auto}. */
final class FakeReplicas implements ReplicaNamespace, AutoPaths {
  static final long BYTES = 100;

  private final TreeMap<Long, StoredFile> files = new TreeMap<>();
  private final Map<Long, String> marks = new HashMap<>();
  private final Set<String> paths = new TreeSet<>();
  final Set<Long> open = new HashSet<>();
  final Set<Long> refused = new HashSet<>();

  /** The replications that were set, as {@code path=replicas}. */
  final List<String> set = new ArrayList<>();

  List<String> snapshotted = List.of();
  long remaining = 1_000_000;
  long lowRedundancyBlocks;

  /** The number of calls after which the leader is killed. */
  int callsLeft = Integer.MAX_VALUE;

  /** What the next call fails with. */
  @Nullable IOException failure;

  Runnable whileListing = () -> {};

  long create(String path, int replication) {
    return create(path, replication, "alice");
  }

  long create(String path, int replication, String owner) {
    long id = files.size() + 1L;
    files.put(id, new StoredFile(path, id, BYTES, BYTES, replication, Instant.EPOCH, owner));
    return id;
  }

  void move(long id, String path) {
    StoredFile old = file(id);
    put(old, path, old.replication(), old.modified());
  }

  void modified(long id, Instant time) {
    StoredFile old = file(id);
    put(old, old.path(), old.replication(), time);
  }

  private void put(StoredFile old, String path, int replication, Instant modified) {
    files.put(
        old.id(), new StoredFile(path, old.id(), BYTES, BYTES, replication, modified, old.owner()));
  }

  int replication(long id) {
    return file(id).replication();
  }

  Map<Long, String> marks() {
    return marks;
  }

  StoredFile file(long id) {
    return Optional.ofNullable(files.get(id)).orElseThrow();
  }

  /** Sets the replication as the owner of the file. */
  void own(long id, int replication) {
    StoredFile old = file(id);
    put(old, old.path(), replication, old.modified());
  }

  private void call() throws IOException {
    if (callsLeft-- <= 0) {
      throw new IOException("killed");
    }
    IOException failed = failure;
    failure = null;
    if (failed != null) {
      throw failed;
    }
  }

  @Override
  public void walkFiles(String path, ConsumerRaisingIOE<StoredFile> visitor) throws IOException {
    whileListing.run();
    for (StoredFile file : List.copyOf(files.values())) {
      if (path.equals("/") || (file.path() + "/").startsWith(path + "/")) {
        visitor.accept(file);
      }
    }
  }

  @Override
  public Optional<StoredFile> find(long id) {
    return Optional.ofNullable(files.get(id));
  }

  @Override
  public Optional<String> mark(long id) {
    return Optional.ofNullable(marks.get(id));
  }

  @Override
  public void mark(long id, String value) throws IOException {
    call();
    marks.put(id, value);
  }

  @Override
  public void unmark(long id) throws IOException {
    call();
    marks.remove(id);
  }

  @Override
  public boolean isClosed(long id) {
    return !open.contains(id);
  }

  @Override
  public void setReplication(long id, int replication) throws IOException {
    call();
    if (refused.contains(id)) {
      throw new RefusedException("replication", new IOException("quota"));
    }
    remaining -= BYTES * (replication - replication(id));
    own(id, replication);
    set.add(file(id).path() + "=" + replication);
  }

  @Override
  public Capacity capacity() {
    return new Capacity(remaining, 5, lowRedundancyBlocks, snapshotted);
  }

  @Override
  public Set<String> loadPaths() {
    return new TreeSet<>(paths);
  }

  @Override
  public void savePaths(Set<String> saved) {
    paths.clear();
    paths.addAll(saved);
  }

  @Override
  public void close() {}
}
